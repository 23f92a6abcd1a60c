package io.cleat.wire;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.codec.RecordCodec;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One end of a link over a stream of gRPC: what arrives is kept until it is read, and asked for one by one, so that a
 * slow reader slows the sender.
 *
 * <p>Guarded by {@code lock}, never held while something is sent.
 *
 * <p>Bytes that are no message end the link with a trouble that says {@link Retry#NEVER}. What the other side could not
 * read, since it is of an earlier release, is not sent, and logged.
 */
final class GrpcLink<O, I> implements Link<O, I> {
    static final MethodDescriptor<Frame<ToServer>, Frame<ToNode>> METHOD =
            MethodDescriptor.<Frame<ToServer>, Frame<ToNode>>newBuilder()
                    .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                    .setFullMethodName("cleat.wire.Session/Talk")
                    .setRequestMarshaller(new Frame.Marshaller<>(WireFormat.TO_SERVER))
                    .setResponseMarshaller(new Frame.Marshaller<>(WireFormat.TO_NODE))
                    .build();

    private static final Logger LOG = LoggerFactory.getLogger(GrpcLink.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ReentrantLock sending = new ReentrantLock();
    private final ArrayDeque<I> received = new ArrayDeque<>();
    private final Outgoing<O> outgoing;
    private final RecordCodec<O> codec;
    private final int spokenAtFirst;
    private volatile int spoken;
    private @Nullable String ended;
    private Retry retry = Retry.SAME_CALL;

    /**
     * The sending half, which is gRPC's. Each call may fail with an {@link IllegalStateException} once the stream is
     * over, and with a {@link RejectedExecutionException} once gRPC's threads are.
     */
    interface Outgoing<O> {
        StreamObserver<Frame<O>> stream();

        boolean isReady();

        /** Asks for one more message of the other side. */
        void askForOne();

        void cancel(String why);
    }

    /** @param spoken the version of the protocol that the other side reads, as far as is known */
    GrpcLink(Outgoing<O> outgoing, RecordCodec<O> codec, int spoken) {
        this.outgoing = outgoing;
        this.codec = codec;
        this.spokenAtFirst = spoken;
        this.spoken = spoken;
    }

    /** What the other side reads is known now. */
    void agree(int version) {
        spoken = version;
    }

    @Override
    public boolean saysMoreThanAtFirst() {
        return spoken > spokenAtFirst;
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
        Optional<byte[]> encoded = encoded(message);
        if (encoded.isEmpty()) {
            return;
        }
        sending.lockInterruptibly();
        try {
            outgoing.stream().onNext(Frame.leaving(encoded.get()));
        } catch (IllegalStateException | RejectedExecutionException over) {
            end("it was closed");
            throw new LinkTrouble("the connection between server and node was closed", Effect.UNKNOWN, Retry.SAME_CALL);
        } finally {
            sending.unlock();
        }
    }

    /** Empty for what the other side, which is of an earlier release, could not read. */
    private Optional<byte[]> encoded(O message) throws LinkTrouble {
        int version = spoken;
        try {
            return Optional.of(codec.encodeFor(message, version, WireVersions.level(version)));
        } catch (Refused refused) {
            if (refused.refusal() instanceof Refusal.Conflict newer) {
                LOG.warn("not said: {}", newer.message());
                return Optional.empty();
            }
            end("a message could not be written");
            throw new LinkTrouble(
                    "what is to be said cannot be written: " + refused.refusal().message(),
                    Effect.NONE,
                    Retry.SAME_CALL,
                    refused);
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
        askForOne();
        return message;
    }

    /** Of what is over nothing more comes; whoever receives next is told so. */
    private void askForOne() {
        try {
            outgoing.askForOne();
        } catch (RejectedExecutionException over) {
            end("it was closed");
        }
    }

    private void cancel(String why) {
        try {
            outgoing.cancel(why);
        } catch (IllegalStateException | RejectedExecutionException over) {
            // The other side was first, or all links were closed at once.
            return;
        }
    }

    @Override
    public void close() {
        if (end("it was closed on this side")) {
            cancel("closed");
        }
    }

    /** What gRPC calls on arrival. */
    StreamObserver<Frame<I>> incoming() {
        return new StreamObserver<>() {
            @Override
            public void onNext(Frame<I> frame) {
                I message = frame.message();
                if (message == null) {
                    endUnreadable(frame.fault());
                } else {
                    arrived(message);
                }
            }

            @Override
            public void onError(Throwable error) {
                Status status = Status.fromThrowable(error);
                end(status.getCode() + (status.getDescription() == null ? "" : ": " + status.getDescription()));
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

    private void arrived(I message) {
        lock.lock();
        try {
            received.add(message);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What is no message ends the link that it came over, whatever it is. */
    private void endUnreadable(String why) {
        lock.lock();
        try {
            retry = ended == null ? Retry.NEVER : retry;
        } finally {
            lock.unlock();
        }
        if (end("the other side said what is no message: " + why)) {
            cancel("no message");
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

    private LinkTrouble closed(String why) {
        return new LinkTrouble("the connection between server and node is over: " + why, Effect.UNKNOWN, retry);
    }
}
