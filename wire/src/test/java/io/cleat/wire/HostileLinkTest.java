package io.cleat.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refused;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whoever comes to the socket of nodes with bytes of his own loses his link, and nobody else one.
 */
@Timeout(120)
class HostileLinkTest {
    private static final int LINKS = 300;

    private static final MethodDescriptor<byte[], byte[]> RAW =
            MethodDescriptor.<byte[], byte[]>newBuilder()
                    .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                    .setFullMethodName(GrpcLink.METHOD.getFullMethodName())
                    .setRequestMarshaller(new Bytes())
                    .setResponseMarshaller(new Bytes())
                    .build();

    @TempDir Path dir = Path.of("");
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    private static final class Ignoring implements StreamObserver<byte[]> {
        private final CountDownLatch over = new CountDownLatch(1);

        @Override
        public void onNext(byte[] value) {}

        @Override
        public void onError(Throwable error) {
            over.countDown();
        }

        @Override
        public void onCompleted() {
            over.countDown();
        }
    }

    private static void echo(Link<ToNode, ToServer> link) throws InterruptedException {
        try {
            while (true) {
                if (link.receive() instanceof ToServer.Heartbeat(long number)) {
                    link.send(new ToNode.HeartbeatSeen(number));
                }
            }
        } catch (LinkTrouble end) {
            link.close();
        }
    }

    private static byte[] damaged(Random random) throws Refused {
        byte[] good = WireFormat.TO_SERVER.encode(new ToServer.Heartbeat(random.nextLong()));
        byte[] bytes = random.nextInt(4) == 0 ? new byte[random.nextInt(300)] : good;
        for (int i = random.nextInt(6) + 1; i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return random.nextInt(3) == 0
                ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 40))
                : bytes;
    }

    @Test
    void bytesThatAreNoMessageEndThatLinkAlone() throws Exception {
        Path socket = dir.resolve("nodes.sock");
        MultiThreadIoEventLoopGroup loops =
                new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ManagedChannel hostile =
                NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                        .channelType(NioDomainSocketChannel.class)
                        .eventLoopGroup(loops)
                        .usePlaintext()
                        .overrideAuthority("localhost")
                        .build();
        Threads threads = Threads.virtual((where, fault) -> faults.add(fault));
        try (GrpcSessions _ = GrpcSessions.listen(socket, HostileLinkTest::echo, threads);
                GrpcConnector connector = new GrpcConnector(socket);
                Link<ToServer, ToNode> good = connector.connect(soon())) {
            Random random = new Random(20_261_122);
            for (int i = 0; i < LINKS; i++) {
                Ignoring answers = new Ignoring();
                StreamObserver<byte[]> stream =
                        ClientCalls.asyncBidiStreamingCall(
                                hostile.newCall(RAW, CallOptions.DEFAULT), answers);
                stream.onNext(damaged(random));
                stream.onCompleted();
                assertTrue(answers.over.await(20, TimeUnit.SECONDS), "link " + i);
            }
            good.send(new ToServer.Heartbeat(7));
            assertEquals(new ToNode.HeartbeatSeen(7), good.receive());
        } finally {
            hostile.shutdownNow();
            assertTrue(hostile.awaitTermination(20, TimeUnit.SECONDS));
            var _ = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
        assertEquals(List.of(), faults);
    }

    private static Deadline soon() {
        return Deadline.in(new SystemTime(), Duration.ofSeconds(20));
    }
}
