package io.cleat.wire;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A link between server and node in one process: two bounded queues.
 *
 * <p>Guarded by {@code Pipe.lock}, one per direction; a close takes them one after the other.
 */
public final class InProcessLink<O, I> implements Link<O, I> {
    /** How many messages one side may be behind before the other waits. */
    public static final int BOUND = 1024;

    private final Pipe<O> out;
    private final Pipe<I> in;

    private InProcessLink(Pipe<O> out, Pipe<I> in) {
        this.out = out;
        this.in = in;
    }

    /** A connector whose links are served by {@code sessions}, each on a thread of its own. */
    public static Connector to(Sessions sessions, Threads threads) {
        return deadline -> {
            Pipe<ToServer> up = new Pipe<>();
            Pipe<ToNode> down = new Pipe<>();
            Link<ToNode, ToServer> server = new InProcessLink<>(down, up);
            threads.contained(
                    "session/in-process",
                    () -> {
                        try (server) {
                            sessions.serve(server);
                        }
                    },
                    fault -> server.close());
            return new InProcessLink<>(up, down);
        };
    }

    @Override
    public void send(O message) throws LinkTrouble, InterruptedException {
        out.put(message);
    }

    @Override
    public I receive() throws LinkTrouble, InterruptedException {
        return in.take();
    }

    @Override
    public void close() {
        out.close();
        in.close();
    }

    /** One direction. */
    private static final class Pipe<T> {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final ArrayDeque<T> messages = new ArrayDeque<>();
        private boolean closed;

        void put(T message) throws LinkTrouble, InterruptedException {
            lock.lockInterruptibly();
            try {
                while (!closed && messages.size() >= BOUND) {
                    changed.await();
                }
                if (closed) {
                    throw closed();
                }
                messages.add(message);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        T take() throws LinkTrouble, InterruptedException {
            lock.lockInterruptibly();
            try {
                while (!closed && messages.isEmpty()) {
                    changed.await();
                }
                T message = messages.poll();
                if (message == null) {
                    throw closed();
                }
                changed.signalAll();
                return message;
            } finally {
                lock.unlock();
            }
        }

        void close() {
            lock.lock();
            try {
                closed = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        private static LinkTrouble closed() {
            return new LinkTrouble("the connection between server and node is closed", Effect.UNKNOWN, Retry.SAME_CALL);
        }
    }
}
