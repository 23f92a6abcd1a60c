package io.cleat.csi;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;

/** Connects one channel through a door that is opened for it, and closed once it is connected. */
final class DoorOpening extends ChannelOutboundHandlerAdapter {
    private final PluginSocket socket;

    DoorOpening(PluginSocket socket) {
        this.socket = socket;
    }

    // What is said of the end is said to the promise.
    @SuppressWarnings("FutureReturnValueIgnored")
    @Override
    public void connect(
            ChannelHandlerContext context, SocketAddress remote, SocketAddress local, ChannelPromise promise) {
        PluginSocket.Door door;
        try {
            door = socket.open();
        } catch (IOException refused) {
            promise.setFailure(refused);
            return;
        }
        ChannelPromise connected = context.newPromise();
        connected.addListener(end -> {
            door.close();
            if (end.isSuccess()) {
                promise.setSuccess();
            } else {
                promise.setFailure(named(end.cause(), door, remote));
            }
        });
        context.connect(UnixDomainSocketAddress.of(door.path()), local, connected);
    }

    /** People know the socket by its own path. */
    private static Throwable named(Throwable cause, PluginSocket.Door door, SocketAddress remote) {
        String words = String.valueOf(cause.getMessage());
        String shown = words.replace(door.path().toString(), remote.toString());
        return shown.equals(words) ? cause : new IOException(shown, cause);
    }
}
