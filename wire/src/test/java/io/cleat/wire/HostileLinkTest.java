package io.cleat.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.VisibleText;
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
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever comes to the socket of nodes with bytes of his own loses his link, and nobody else one. */
@Timeout(120)
class HostileLinkTest {
    private static final int LINKS = 300;

    private static final MethodDescriptor<byte[], byte[]> RAW = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName(GrpcLink.METHOD.getFullMethodName())
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    @TempDir
    Path dir = Path.of("");

    private final List<String> unreadable = new CopyOnWriteArrayList<>();
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

    /** What gRPC logs of what it could not stand. */
    private static final class Logged extends Handler {
        private final List<String> records = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord record) {
            if (record.getLevel().intValue() >= Level.WARNING.intValue()) {
                records.add(record.getLevel() + " " + record.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
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

    private void echo(Link<ToNode, ToServer> link) throws InterruptedException {
        try {
            while (true) {
                if (link.receive() instanceof ToServer.Heartbeat(long number)) {
                    link.send(new ToNode.HeartbeatSeen(number));
                }
            }
        } catch (LinkTrouble end) {
            if (end.retry().equals(Retry.NEVER)) {
                unreadable.add(end.reason());
            }
            link.close();
        }
    }

    private static byte[] damaged(Random random) throws Refused {
        byte[] good = WireFormat.TO_SERVER.encode(new ToServer.Heartbeat(random.nextLong()));
        byte[] bytes = random.nextInt(4) == 0 ? new byte[random.nextInt(300)] : good;
        for (int i = random.nextInt(6) + 1; i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return random.nextInt(3) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 40)) : bytes;
    }

    @Test
    void bytesThatAreNoMessageEndThatLinkAloneAndLeaveNoTraceInTheLog() throws Exception {
        Logger grpc = Logger.getLogger("io.grpc");
        Logged logged = new Logged();
        grpc.addHandler(logged);
        Path socket = dir.resolve("nodes.sock");
        MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ManagedChannel hostile = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class)
                .eventLoopGroup(loops)
                .usePlaintext()
                .overrideAuthority("localhost")
                .build();
        Threads threads = Threads.virtual((where, fault) -> faults.add(fault));
        try (GrpcSessions _ = GrpcSessions.listen(socket, this::echo, threads);
                GrpcConnector connector = new GrpcConnector(socket);
                Link<ToServer, ToNode> good = connector.connect(soon())) {
            Random random = new Random(20_261_122);
            for (int i = 0; i < LINKS; i++) {
                Ignoring answers = new Ignoring();
                StreamObserver<byte[]> stream =
                        ClientCalls.asyncBidiStreamingCall(hostile.newCall(RAW, CallOptions.DEFAULT), answers);
                stream.onNext(damaged(random));
                stream.onCompleted();
                assertTrue(answers.over.await(20, TimeUnit.SECONDS), "link " + i);
            }
            good.send(new ToServer.Heartbeat(7));
            assertEquals(new ToNode.HeartbeatSeen(7), good.receive());
        } finally {
            grpc.removeHandler(logged);
            hostile.shutdownNow();
            assertTrue(hostile.awaitTermination(20, TimeUnit.SECONDS));
            var _ = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
        assertEquals(List.of(), faults);
        assertEquals(List.of(), logged.records);
        assertFalse(unreadable.isEmpty());
        unreadable.forEach(why -> {
            assertTrue(why.length() < 400, why);
            assertEquals(VisibleText.line(why), why);
        });
    }

    private static Deadline soon() {
        return Deadline.in(new SystemTime(), Duration.ofSeconds(20));
    }
}
