package io.cleat.wire;

import io.cleat.base.Deadline;
import io.cleat.base.LinkTrouble;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reaches a server in another process over its Unix socket. */
public final class GrpcConnector implements Connector, AutoCloseable {
    private final MultiThreadIoEventLoopGroup loops;
    private final ManagedChannel channel;
    private final WireVersions versions;

    /** @param socket where the server listens; nothing is connected yet */
    public GrpcConnector(Path socket) {
        this(socket, WireVersions.OURS);
    }

    /** @param versions that a program of another age would speak */
    GrpcConnector(Path socket, WireVersions versions) {
        this.versions = versions;
        this.loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        this.channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class)
                .eventLoopGroup(loops)
                .directExecutor()
                .usePlaintext()
                .overrideAuthority("localhost")
                .maxInboundMessageSize(GrpcSessions.LARGEST_MESSAGE)
                .build();
    }

    /** Opens a stream; a server that is not there shows at the first message. */
    @Override
    public Link<ToServer, ToNode> connect(Deadline deadline) throws LinkTrouble {
        channel.resetConnectBackoff();
        NodeSide side = new NodeSide();
        GrpcLink<ToServer, ToNode> link = new GrpcLink<>(side, WireFormat.TO_SERVER, versions.oldest());
        ClientCall<Frame<ToServer>, Frame<ToNode>> call = ClientInterceptors.intercept(
                        channel, new SaidVersions.ByNode(versions, link))
                .newCall(GrpcLink.METHOD, CallOptions.DEFAULT);
        ClientCalls.asyncBidiStreamingCall(call, new Opening(side, link));
        side.askForOne();
        return link;
    }

    @Override
    public void close() {
        channel.shutdownNow();
        var _ = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /** gRPC's hands, given to the link before the first message can arrive. */
    private static final class NodeSide implements GrpcLink.Outgoing<ToServer> {
        private volatile @Nullable ClientCallStreamObserver<Frame<ToServer>> stream;

        private ClientCallStreamObserver<Frame<ToServer>> given() {
            ClientCallStreamObserver<Frame<ToServer>> now = stream;
            if (now == null) {
                throw new IllegalStateException("the stream is not open yet");
            }
            return now;
        }

        @Override
        public StreamObserver<Frame<ToServer>> stream() {
            return given();
        }

        @Override
        public boolean isReady() {
            return given().isReady();
        }

        @Override
        public void askForOne() {
            given().request(1);
        }

        @Override
        public void cancel(String why) {
            given().cancel(why, null);
        }
    }

    /** What arrives, and how the stream is set up. */
    private static final class Opening implements ClientResponseObserver<Frame<ToServer>, Frame<ToNode>> {
        private final NodeSide side;
        private final GrpcLink<ToServer, ToNode> link;
        private final StreamObserver<Frame<ToNode>> incoming;

        Opening(NodeSide side, GrpcLink<ToServer, ToNode> link) {
            this.side = side;
            this.link = link;
            this.incoming = link.incoming();
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<Frame<ToServer>> stream) {
            side.stream = stream;
            stream.disableAutoRequestWithInitial(0);
            stream.setOnReadyHandler(link::ready);
        }

        @Override
        public void onNext(Frame<ToNode> frame) {
            incoming.onNext(frame);
        }

        @Override
        public void onError(Throwable error) {
            incoming.onError(error);
        }

        @Override
        public void onCompleted() {
            incoming.onCompleted();
        }
    }
}
