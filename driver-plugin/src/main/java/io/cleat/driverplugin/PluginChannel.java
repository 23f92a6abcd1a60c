package io.cleat.driverplugin;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.VisibleText;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** gRPC to one program that holds a driver, as long as that lives. Used by any thread. */
final class PluginChannel implements AutoCloseable {
    /** What a driver answers is small; the greatest is a piece of a command's output. */
    private static final int MOST_REPLY_BYTES = 8 << 20;

    private final String which;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ManagedChannel channel;

    /** @param which the program, in what is told of it */
    PluginChannel(String which, Path socket) {
        this.which = which;
        this.channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(loop)
                .usePlaintext()
                // Else the socket's path goes out as :authority, which servers may refuse.
                .overrideAuthority("localhost")
                .maxInboundMessageSize(MOST_REPLY_BYTES)
                .disableRetry()
                .directExecutor()
                .build();
    }

    /** A call that is to be answered in time. */
    <Q, R> R call(MethodDescriptor<Q, R> method, Q request, Duration limit) throws DriverTrouble, InterruptedException {
        return answered(method, request, within(limit), " within " + limit.toSeconds() + " s");
    }

    /** A call whose answer may be days away. */
    <Q, R> R await(MethodDescriptor<Q, R> method, Q request) throws DriverTrouble, InterruptedException {
        return answered(method, request, CallOptions.DEFAULT, "");
    }

    private <Q, R> R answered(MethodDescriptor<Q, R> method, Q request, CallOptions options, String within)
            throws DriverTrouble, InterruptedException {
        Future<R> reply = ClientCalls.futureUnaryCall(channel.newCall(method, options), request);
        try {
            return reply.get();
        } catch (InterruptedException end) {
            reply.cancel(true);
            throw end;
        } catch (ExecutionException failed) {
            throw trouble(name(method), Status.fromThrowable(failed), within);
        }
    }

    /** A call that goes on answering until it is closed. */
    <Q, R> Stream<Q, R> answers(MethodDescriptor<Q, R> method, Q request) {
        return answers(method, request, CallOptions.DEFAULT);
    }

    /** As {@link #answers(MethodDescriptor, Object)}, all of it in time. */
    <Q, R> Stream<Q, R> answers(MethodDescriptor<Q, R> method, Q request, Duration limit) {
        return answers(method, request, within(limit));
    }

    private <Q, R> Stream<Q, R> answers(MethodDescriptor<Q, R> method, Q request, CallOptions options) {
        return new Stream<>(name(method), ClientCalls.blockingV2ServerStreamingCall(channel, method, options, request));
    }

    private static CallOptions within(Duration limit) {
        return CallOptions.DEFAULT.withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** A call in which both sides say one thing after the other. */
    <Q, R> Stream<Q, R> conversation(MethodDescriptor<Q, R> method) {
        return new Stream<>(name(method), ClientCalls.blockingBidiStreamingCall(channel, method, CallOptions.DEFAULT));
    }

    private static String name(MethodDescriptor<?, ?> method) {
        return String.valueOf(method.getBareMethodName());
    }

    private DriverTrouble trouble(String method, Status status, String within) {
        boolean isGone = status.getCode() == Status.Code.UNAVAILABLE
                || status.getCode() == Status.Code.CANCELLED
                || status.getCause() instanceof ClosedChannelException;
        if (isGone) {
            return new PluginShutDown(which, method, Effect.UNKNOWN);
        }
        if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
            return new DriverTrouble(
                    which + " did not answer to " + method + within, Effect.UNKNOWN, Retry.AFTER_OBSERVING);
        }
        String said = status.getDescription();
        return new PluginAnswered(
                which, method, VisibleText.line(said == null ? status.getCode().name() : said));
    }

    // Nobody waits for the loop's end.
    @SuppressWarnings("FutureReturnValueIgnored")
    @Override
    public void close() {
        channel.shutdownNow();
        loop.shutdownGracefully(200, 5_000, TimeUnit.MILLISECONDS);
    }

    /** A call of more than one message. One thread sends, one receives. */
    final class Stream<Q, R> implements AutoCloseable {
        private final String method;
        private final BlockingClientCall<Q, R> call;

        private Stream(String method, BlockingClientCall<Q, R> call) {
            this.method = method;
            this.call = call;
        }

        /** Returns once it is on its way; nothing if the other side takes no more. */
        void send(Q message) throws DriverTrouble, InterruptedException {
            try {
                call.write(message);
            } catch (StatusException ended) {
                throw trouble(method, ended.getStatus(), "");
            } catch (IllegalStateException over) {
                // What it said last is still to be received.
                return;
            }
        }

        /** The next message; blocks until there is one. Empty at the end. */
        Optional<R> next() throws DriverTrouble, InterruptedException {
            try {
                return Optional.ofNullable(call.read());
            } catch (StatusException ended) {
                throw trouble(method, ended.getStatus(), "");
            }
        }

        @Override
        public void close() {
            call.cancel("nobody waits for more", null);
        }
    }
}
