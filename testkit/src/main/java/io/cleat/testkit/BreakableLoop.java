package io.cleat.testkit;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** One thread that serves sockets, and can drop them all as the end of a process does. */
final class BreakableLoop extends MultiThreadIoEventLoopGroup {
    private final List<Channel> listeners = new CopyOnWriteArrayList<>();
    private final List<Channel> connections = new CopyOnWriteArrayList<>();

    BreakableLoop() {
        super(1, NioIoHandler.newFactory());
    }

    /** A socket to listen with. The server registers it past this group, so it is noted here. */
    ServerChannel listener() {
        NioServerDomainSocketChannel listener = new NioServerDomainSocketChannel();
        listeners.add(listener);
        return listener;
    }

    @Override
    public ChannelFuture register(Channel channel) {
        connections.add(channel);
        return super.register(channel);
    }

    void stopListening() {
        drop(listeners);
    }

    /** Closes every connection without a word to the other side. */
    void breakConnections() {
        drop(connections);
    }

    private static void drop(List<Channel> sockets) {
        for (Channel socket : sockets) {
            await(socket.eventLoop().submit(() -> socket.unsafe().closeForcibly()));
        }
        sockets.clear();
    }

    void end() {
        await(shutdownGracefully(0, 0, TimeUnit.MILLISECONDS));
    }

    private static void await(io.netty.util.concurrent.Future<?> end) {
        if (!end.awaitUninterruptibly(10, TimeUnit.SECONDS) || !end.isSuccess()) {
            throw new IllegalStateException("the fake plugin's sockets did not close in 10 s");
        }
    }
}
