package io.cleat.wire;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.codec.RecordCodec;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One end of a link over a stream of gRPC: what arrives is kept until it is read, and asked for one
 * by one, so that a slow reader slows the sender.
 *
 * <p>Guarded by {@code lock}, never held while something is sent.
 */
final class GrpcLink<O, I> implements Link<O, I> {
    static final MethodDescriptor<ToServer, ToNode> METHOD =
            MethodDescriptor.<ToServer, ToNode>newBuilder()
                    .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                    .setFullMethodName("cleat.wire.Session/Talk")
                    .setRequestMarshaller(new Frames<>(WireFormat.TO_SERVER))
                    .setResponseMarshaller(new Frames<>(WireFormat.TO_NODE))
                    .build();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ReentrantLock sending = new ReentrantLock();
    private final ArrayDeque<I> received = new ArrayDeque<>();
    private final Outgoing<O> outgoing;
    private @Nullable String ended;

    /** The sending half, which is gRPC's. */
    interface Outgoing<O> {
        StreamObserver<O> stream();

        boolean isReady();

        /** Asks for one more message of the other side. */
        void askForOne();

        void cancel(String why);
    }

    GrpcLink(Outgoing<O> outgoing) {
        this.outgoing = outgoing;
    }

    @Override
    public void send(O message) throws LinkTrouble, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (ended == null && !outgoing.isReady()) {
                changed.await();
            }
            if (ended != null) {
                throw closed(ended);
            }
        } finally {
            lock.unlock();
        }
        sending.lockInterruptibly();
        try {
            outgoing.stream().onNext(message);
        } catch (IllegalStateException over) {
            end("it was closed");
            throw closed("it was closed");
        } finally {
            sending.unlock();
        }
    }

    @Override
    public I receive() throws LinkTrouble, InterruptedException {
        I message;
        lock.lockInterruptibly();
        try {
            while (ended == null && received.isEmpty()) {
                changed.await();
            }
            message = received.poll();
            if (message == null) {
                throw closed(ended == null ? "" : ended);
            }
        } finally {
            lock.unlock();
        }
        outgoing.askForOne();
        return message;
    }

    @Override
    public void close() {
        if (end("it was closed on this side")) {
            outgoing.cancel("closed");
        }
    }

    /** What gRPC calls on arrival. */
    StreamObserver<I> incoming() {
        return new StreamObserver<>() {
            @Override
            public void onNext(I message) {
                lock.lock();
                try {
                    received.add(message);
                    changed.signalAll();
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public void onError(Throwable error) {
                Status status = Status.fromThrowable(error);
                end(
                        status.getCode()
                                + (status.getDescription() == null
                                        ? ""
                                        : ": " + status.getDescription()));
            }

            @Override
            public void onCompleted() {
                end("the other side closed it");
            }
        };
    }

    /** gRPC takes more to send. */
    void ready() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean end(String why) {
        lock.lock();
        try {
            if (ended != null) {
                return false;
            }
            ended = why;
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private static LinkTrouble closed(String why) {
        return new LinkTrouble(
                "the connection between server and node is over: " + why,
                Effect.UNKNOWN,
                Retry.SAME_CALL);
    }

    /** Messages as frames: the envelopes of {@link WireFormat}. */
    private record Frames<T>(RecordCodec<T> codec) implements MethodDescriptor.Marshaller<T> {
        @Override
        public InputStream stream(T value) {
            try {
                return new ByteArrayInputStream(codec.encode(value));
            } catch (Refused unfit) {
                throw Status.INVALID_ARGUMENT
                        .withDescription(unfit.refusal().message())
                        .withCause(unfit)
                        .asRuntimeException();
            }
        }

        /** What is no message ends the link that it came over, whatever it is. */
        @Override
        public T parse(InputStream stream) {
            try {
                return codec.decode(stream.readAllBytes());
            } catch (DiskTrouble trouble) {
                throw Status.INVALID_ARGUMENT
                        .withDescription(trouble.reason())
                        .withCause(trouble)
                        .asRuntimeException();
            } catch (IOException e) {
                throw Status.INTERNAL
                        .withDescription(e.toString())
                        .withCause(e)
                        .asRuntimeException();
            }
        }
    }
}
