package io.cleat.csi;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.Message;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.ConnectivityState;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * gRPC over a Unix socket, through the JDK's own domain sockets. One connection, kept; a broken one is replaced at the
 * next call, without gRPC's waits between connection attempts, since the policy of the caller decides when to try
 * again.
 */
final class UnixTransport implements Transport {
    private static final int MOST_HEADER_BYTES = 64 << 10;

    private final Path socket;
    private final PluginSocket opened;
    private final int mostReplyBytes;
    private final boolean awaitsMounts;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private ManagedChannel channel;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * @param socket its path, which is shown
     * @param opened what is connected to
     * @param awaitsMounts see {@link CallPolicy}
     */
    UnixTransport(Path socket, PluginSocket opened, int mostReplyBytes, boolean awaitsMounts) {
        this.socket = socket;
        this.opened = opened;
        this.mostReplyBytes = mostReplyBytes;
        this.awaitsMounts = awaitsMounts;
        this.channel = connectable();
    }

    private ManagedChannel connectable() {
        return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelFactory(() -> {
                    NioDomainSocketChannel made = new NioDomainSocketChannel();
                    made.pipeline().addFirst(new SocketConnectHandler(opened));
                    return made;
                })
                .eventLoopGroup(loop)
                .usePlaintext()
                // Else the socket's path goes out as :authority, which strict servers refuse.
                .overrideAuthority("localhost")
                .maxInboundMessageSize(mostReplyBytes)
                .maxInboundMetadataSize(MOST_HEADER_BYTES)
                // One exchange is one exchange: what is repeated is counted, and by the caller.
                .disableRetry()
                .directExecutor()
                .build();
    }

    @Override
    public <Q extends Message, R extends Message> Answer<R> exchange(
            MethodDescriptor<Q, R> method, Q request, Duration limit) throws InterruptedException {
        ManagedChannel current = current();
        if (current == null) {
            return closed();
        }
        Trace trace = new Trace();
        long start = System.nanoTime();
        try {
            return new Reply<>(
                    awaitsMounts && AWAITED.contains(method.getBareMethodName())
                            ? awaited(current.newCall(method, options(trace, limit)), request)
                            : ClientCalls.blockingUnaryCall(current, method, options(trace, limit), request));
        } catch (StatusRuntimeException failed) {
            return failure(method, failed, trace, System.nanoTime() - start >= limit.toNanos());
        }
    }

    /** The reply, whoever is interrupted meanwhile; the call's own limit ends the wait. */
    private static <Q, R> R awaited(ClientCall<Q, R> call, Q request) {
        Future<R> reply = ClientCalls.futureUnaryCall(call, request);
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return reply.get();
                } catch (InterruptedException later) {
                    isInterrupted = true;
                } catch (ExecutionException failed) {
                    throw Status.fromThrowable(failed).asRuntimeException();
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public <Q extends Message, R extends Message> Answer<Boolean> stream(
            MethodDescriptor<Q, R> method, Q request, Duration limit, Taker<R> taker)
            throws BadReply, InterruptedException {
        ManagedChannel current = current();
        if (current == null) {
            return closed();
        }
        Trace trace = new Trace();
        long start = System.nanoTime();
        // Ends the stream in the plugin, however this is left.
        Context.CancellableContext whole = Context.current().withCancellation();
        Context before = whole.attach();
        try {
            Iterator<R> replies =
                    ClientCalls.blockingServerStreamingCall(current, method, options(trace, limit), request);
            while (replies.hasNext()) {
                if (!taker.take(replies.next())) {
                    return new Reply<>(false);
                }
            }
            return new Reply<>(true);
        } catch (StatusRuntimeException failed) {
            return failure(method, failed, trace, System.nanoTime() - start >= limit.toNanos());
        } finally {
            whole.detach(before);
            whole.cancel(null);
        }
    }

    /** The channel to use now; null once closed. */
    private @Nullable ManagedChannel current() {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
                channel.shutdown();
                channel = connectable();
            }
            return channel;
        } finally {
            lock.unlock();
        }
    }

    private static <R> Failure<R> closed() {
        String words = "the channel to the plugin was closed";
        return new Failure<>(CsiCode.CANCELLED, words, false, false, false, null);
    }

    private static CallOptions options(Trace trace, Duration limit) {
        return CallOptions.DEFAULT
                .withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS)
                .withStreamTracerFactory(trace);
    }

    private static <R> Failure<R> failure(
            MethodDescriptor<?, ?> method, StatusRuntimeException failed, Trace trace, boolean late)
            throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(method.getBareMethodName() + " was interrupted");
        }
        CsiCode code = code(failed.getStatus());
        return new Failure<>(
                code,
                words(failed),
                trace.left,
                trace.answered,
                code == CsiCode.DEADLINE_EXCEEDED && (!trace.answered || late),
                failed.getStatus().getCause());
    }

    /** Of a connection that breaks just as a call goes out the library knows no code. */
    static CsiCode code(Status status) {
        return status.getCause() instanceof ClosedChannelException
                ? CsiCode.UNAVAILABLE
                : CsiCode.valueOf(status.getCode().name());
    }

    private static String words(StatusRuntimeException failed) {
        String words = failed.getStatus().getDescription();
        Throwable cause = failed.getStatus().getCause();
        String more = cause == null || cause.getMessage() == null ? "" : cause.getMessage();
        if (words == null) {
            return more;
        }
        return more.isEmpty() || words.contains(more) ? words : words + ": " + more;
    }

    // Nobody waits for the loop's end.
    @SuppressWarnings("FutureReturnValueIgnored")
    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                channel.shutdownNow();
                // Calls in flight end first, by tasks of the loop.
                loop.shutdownGracefully(200, 5_000, TimeUnit.MILLISECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    /** How far one exchange got. Written by the connection's thread before the caller is woken. */
    private static final class Trace extends ClientStreamTracer.Factory {
        private volatile boolean left;
        private volatile boolean answered;

        @Override
        public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo stream, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void streamCreated(Attributes transport, Metadata sent) {
                    left = true;
                }

                @Override
                public void inboundTrailers(Metadata trailers) {
                    answered = true;
                }
            };
        }
    }
}
