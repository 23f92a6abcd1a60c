package io.cleat.csi;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;

/** Connects one channel through a handle of the socket that is opened for it, and closed once it is connected. */
final class SocketConnectHandler extends ChannelOutboundHandlerAdapter {
    private final PluginSocket socket;

    SocketConnectHandler(PluginSocket socket) {
        this.socket = socket;
    }

    // What is said of the end is said to the promise.
    @SuppressWarnings("FutureReturnValueIgnored")
    @Override
    public void connect(
            ChannelHandlerContext context, SocketAddress remote, SocketAddress local, ChannelPromise promise) {
        PluginSocket.Opened opened;
        try {
            opened = socket.open();
        } catch (IOException refused) {
            promise.setFailure(refused);
            return;
        }
        ChannelPromise connected = context.newPromise();
        connected.addListener(end -> {
            opened.close();
            if (end.isSuccess()) {
                promise.setSuccess();
            } else {
                promise.setFailure(named(end.cause(), opened, remote));
            }
        });
        context.connect(UnixDomainSocketAddress.of(opened.path()), local, connected);
    }

    /** People know the socket by its own path. */
    private static Throwable named(Throwable cause, PluginSocket.Opened opened, SocketAddress remote) {
        String words = String.valueOf(cause.getMessage());
        String shown = words.replace(opened.path().toString(), remote.toString());
        return shown.equals(words) ? cause : new IOException(shown, cause);
    }
}
