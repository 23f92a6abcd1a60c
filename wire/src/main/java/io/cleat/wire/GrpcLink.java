package io.cleat.wire;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Retry;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One end of a link over a stream of gRPC: what arrives is kept until it is read, and asked for one
 * by one, so that a slow reader slows the sender.
 *
 * <p>Guarded by {@code lock}, never held while something is sent.
 *
 * <p>Bytes that are no message end the link with a trouble that says {@link Retry#NEVER}.
 */
final class GrpcLink<O, I> implements Link<O, I> {
    static final MethodDescriptor<Frame<ToServer>, Frame<ToNode>> METHOD =
            MethodDescriptor.<Frame<ToServer>, Frame<ToNode>>newBuilder()
                    .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                    .setFullMethodName("cleat.wire.Session/Talk")
                    .setRequestMarshaller(new Frame.Marshaller<>(WireFormat.TO_SERVER))
                    .setResponseMarshaller(new Frame.Marshaller<>(WireFormat.TO_NODE))
                    .build();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ReentrantLock sending = new ReentrantLock();
    private final ArrayDeque<I> received = new ArrayDeque<>();
    private final Outgoing<O> outgoing;
    private @Nullable String ended;
    private Retry retry = Retry.SAME_CALL;

    /** The sending half, which is gRPC's. */
    interface Outgoing<O> {
        StreamObserver<Frame<O>> stream();

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
            outgoing.stream().onNext(Frame.of(message));
        } catch (IllegalStateException over) {
            end("it was closed");
            throw new LinkTrouble(
                    "the connection between server and node was closed",
                    Effect.UNKNOWN,
                    Retry.SAME_CALL);
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
            outgoing.cancel("no message");
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
        return new LinkTrouble(
                "the connection between server and node is over: " + why, Effect.UNKNOWN, retry);
    }
}
