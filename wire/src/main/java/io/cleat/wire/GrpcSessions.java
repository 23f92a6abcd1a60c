package io.cleat.wire;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/**
 * Takes links of nodes in other processes on a Unix socket that only its owner can open; each is served on a thread of
 * its own.
 */
public final class GrpcSessions implements AutoCloseable {
    static final int LARGEST_MESSAGE = 64 << 20;

    private final Server server;
    private final MultiThreadIoEventLoopGroup loops;
    private final Path socket;

    private GrpcSessions(Server server, MultiThreadIoEventLoopGroup loops, Path socket) {
        this.server = server;
        this.loops = loops;
        this.socket = socket;
    }

    /**
     * Listens on {@code socket}, in a directory that only its owner can enter; a socket that a killed predecessor left
     * is replaced.
     */
    public static GrpcSessions listen(Path socket, Sessions sessions, Threads threads) throws LinkTrouble {
        return listen(socket, sessions, threads, WireVersions.OURS);
    }

    /** @param versions that a program of another age would speak */
    static GrpcSessions listen(Path socket, Sessions sessions, Threads threads, WireVersions versions)
            throws LinkTrouble {
        MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        Server server = NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioServerDomainSocketChannel.class)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .directExecutor()
                .maxInboundMessageSize(LARGEST_MESSAGE)
                .intercept(new SaidVersions.ByServer(versions))
                .addService(ServerServiceDefinition.builder("cleat.wire.Session")
                        .addMethod(
                                GrpcLink.METHOD,
                                ServerCalls.asyncBidiStreamingCall(toNode -> accept(toNode, sessions, threads)))
                        .build())
                .build();
        try {
            Files.deleteIfExists(socket);
            server.start();
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            var _ = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new LinkTrouble("cannot listen for nodes on " + socket + ": " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
        return new GrpcSessions(server, loops, socket);
    }

    private static StreamObserver<Frame<ToServer>> accept(
            StreamObserver<Frame<ToNode>> toNode, Sessions sessions, Threads threads) {
        ServerCallStreamObserver<Frame<ToNode>> stream = (ServerCallStreamObserver<Frame<ToNode>>) toNode;
        stream.disableAutoRequest();
        GrpcLink<ToNode, ToServer> link =
                new GrpcLink<>(new ServerSide(stream), WireFormat.TO_NODE, SaidVersions.agreedHere());
        StreamObserver<Frame<ToServer>> incoming = link.incoming();
        stream.setOnReadyHandler(link::ready);
        stream.setOnCancelHandler(incoming::onCompleted);
        stream.request(1);
        threads.contained(
                "session/grpc",
                () -> {
                    try (link) {
                        sessions.serve(link);
                    }
                },
                fault -> link.close());
        return incoming;
    }

    @Override
    public void close() {
        server.shutdownNow();
        var _ = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        try {
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            // It is replaced at the next start.
            return;
        }
    }

    private record ServerSide(ServerCallStreamObserver<Frame<ToNode>> stream) implements GrpcLink.Outgoing<ToNode> {
        @Override
        public boolean isReady() {
            return stream.isReady();
        }

        @Override
        public void askForOne() {
            stream.request(1);
        }

        @Override
        public void cancel(String why) {
            stream.onCompleted();
        }
    }
}
