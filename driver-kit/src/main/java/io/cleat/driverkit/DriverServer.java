package io.cleat.driverkit;

import io.cleat.base.Threads;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** gRPC on a Unix socket that only its owner can connect to. */
final class DriverServer {
    /** For answers that are on their way. */
    private static final long GRACE_MILLIS = 200;

    private final Path socket;
    private final Server server;
    private final EventLoopGroup loop;

    private DriverServer(Path socket, Server server, EventLoopGroup loop) {
        this.socket = socket;
        this.server = server;
        this.loop = loop;
    }

    /** @param socket a path that is free, in a directory of the same owner */
    static DriverServer open(Path socket, List<BindableService> services, Threads threads) throws IOException {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        NettyServerBuilder builder = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .executor(work -> threads.contained("call", work::run, Threads.OnFault.NOTHING_MORE));
        services.forEach(builder::addService);
        Server server = builder.build().start();
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        return new DriverServer(socket, server, loop);
    }

    /** Ends the calls that run, and removes the socket. */
    void close() throws IOException, InterruptedException {
        server.shutdown();
        // Calls that wait for a task would go on for as long as that runs.
        server.awaitTermination(GRACE_MILLIS, TimeUnit.MILLISECONDS);
        server.shutdownNow();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly(GRACE_MILLIS, TimeUnit.MILLISECONDS);
        Files.deleteIfExists(socket);
    }
}
