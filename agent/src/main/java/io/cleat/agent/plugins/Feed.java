package io.cleat.agent.plugins;

import io.cleat.base.Threads;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tells subscribers what happened, each at its own speed.
 *
 * <p>Publishing writes one slot of a ring and wakes one thread, whatever the number of subscribers: that thread wakes
 * them. A subscriber that has fallen behind by more than the ring holds is given a snapshot and goes on from there, so
 * that order holds and nothing is silently lost.
 *
 * <p>Guarded by {@code lock}. Readers sleep on {@code waiting}, which guards nothing; {@code lock} is taken under it,
 * never the reverse.
 */
public final class Feed implements AutoCloseable {
    /** How many events a subscriber may be behind before it gets a snapshot instead. */
    public static final int BOUND = 10_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final @Nullable RegistryEvent[] ring = new @Nullable RegistryEvent[BOUND];
    private List<Registration> current = List.of();
    private long published;
    private boolean closed;

    private final Semaphore news = new Semaphore(0);
    private final ReentrantLock waiting = new ReentrantLock();
    private final Condition moved = waiting.newCondition();

    public Feed(Threads threads) {
        threads.vital("registry/feed", this::wakeSubscribers, this::isClosed);
    }

    void begin(List<Registration> first) {
        lock.lock();
        try {
            current = first;
        } finally {
            lock.unlock();
        }
    }

    void publish(RegistryEvent event, List<Registration> after) {
        lock.lock();
        try {
            ring[(int) (published % BOUND)] = event;
            published++;
            current = after;
        } finally {
            lock.unlock();
        }
        news.release();
    }

    Subscription subscribe() {
        return new Subscription();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        news.release();
    }

    private void wakeSubscribers() throws InterruptedException {
        for (boolean over = false; !over; ) {
            news.acquire();
            news.drainPermits();
            lock.lock();
            try {
                over = closed;
            } finally {
                lock.unlock();
            }
            waiting.lock();
            try {
                moved.signalAll();
            } finally {
                waiting.unlock();
            }
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** One reader's place. Used by one thread, but for {@link #close}. */
    public final class Subscription implements AutoCloseable {
        private long next = -1;
        private volatile boolean cancelled;

        private Subscription() {}

        /**
         * The next event, waited for; the first is a snapshot.
         *
         * @return empty once the subscription or the registry is closed
         */
        public Optional<RegistryEvent> next() throws InterruptedException {
            for (; ; ) {
                Optional<RegistryEvent> event = poll();
                if (event.isPresent()) {
                    return event;
                }
                waiting.lockInterruptibly();
                try {
                    if (isOver()) {
                        return Optional.empty();
                    }
                    if (!isBehind()) {
                        moved.await();
                    }
                } finally {
                    waiting.unlock();
                }
            }
        }

        /** The next event, if there is one already. */
        public Optional<RegistryEvent> poll() {
            lock.lock();
            try {
                if (cancelled || closed) {
                    return Optional.empty();
                }
                if (next < 0 || published - next > BOUND) {
                    next = published;
                    return Optional.of(new RegistryEvent.Snapshot(current));
                }
                return next == published ? Optional.empty() : Optional.ofNullable(ring[(int) (next++ % BOUND)]);
            } finally {
                lock.unlock();
            }
        }

        /** Ends this subscription; a reader that waits is let go. */
        @Override
        public void close() {
            cancelled = true;
            news.release();
        }

        boolean isOver() {
            lock.lock();
            try {
                return cancelled || closed;
            } finally {
                lock.unlock();
            }
        }

        private boolean isBehind() {
            lock.lock();
            try {
                return next != published;
            } finally {
                lock.unlock();
            }
        }
    }
}
