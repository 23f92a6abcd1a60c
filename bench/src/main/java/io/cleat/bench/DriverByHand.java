package io.cleat.bench;

import io.cleat.driverschema.DriverGrpc;
import io.cleat.driverschema.DriverProto.ExecTaskStreamingIOOperation;
import io.cleat.driverschema.DriverProto.ExecTaskStreamingRequest;
import io.cleat.driverschema.DriverProto.ExecTaskStreamingResponse;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A driver plugin that is called over its socket, with nothing in between. */
final class DriverByHand implements AutoCloseable {
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ManagedChannel channel;

    DriverByHand(Path socket) {
        this.channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(loop)
                .usePlaintext()
                .overrideAuthority("localhost")
                .directExecutor()
                .build();
    }

    /** Runs a command in a task to its end; how many bytes it printed. */
    long output(String task, List<String> command) throws IOException, InterruptedException {
        Counting counting = new Counting();
        StreamObserver<ExecTaskStreamingRequest> to =
                DriverGrpc.newStub(channel).execTaskStreaming(counting);
        to.onNext(ExecTaskStreamingRequest.newBuilder()
                .setSetup(ExecTaskStreamingRequest.Setup.newBuilder()
                        .setTaskId(task)
                        .addAllCommand(command))
                .build());
        to.onNext(ExecTaskStreamingRequest.newBuilder()
                .setStdin(ExecTaskStreamingIOOperation.newBuilder().setClose(true))
                .build());
        counting.over.await();
        Optional<Throwable> failure = Optional.ofNullable(counting.failure.get());
        if (failure.isPresent()) {
            throw new IOException("the plugin did not run it", failure.get());
        }
        return counting.bytes.get();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }

    private static final class Counting implements StreamObserver<ExecTaskStreamingResponse> {
        private final AtomicLong bytes = new AtomicLong();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final CountDownLatch over = new CountDownLatch(1);

        @Override
        public void onNext(ExecTaskStreamingResponse said) {
            bytes.addAndGet(said.getStdout().getData().size());
        }

        @Override
        public void onError(Throwable broken) {
            failure.set(broken);
            over.countDown();
        }

        @Override
        public void onCompleted() {
            over.countDown();
        }
    }
}
