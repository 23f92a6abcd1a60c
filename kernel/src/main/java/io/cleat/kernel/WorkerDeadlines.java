package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the deadlines of what may hang, on a thread of the kernel: it runs also while all that carry virtual threads
 * are held up.
 *
 * <p>Guarded by {@code lock}, which is not held while somebody is told.
 */
final class WorkerDeadlines {
    private final Threads threads;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Kept> kept = new ArrayList<>();
    private @Nullable Thread keeper;
    private boolean closed;

    /** @param threads those of the kernel */
    WorkerDeadlines(Threads threads, Time time) {
        this.threads = threads;
        this.time = time;
    }

    /** A deadline that is kept until it is closed or has come. */
    final class Kept implements AutoCloseable {
        private final Deadline deadline;
        private final Runnable late;

        private Kept(Deadline deadline, Runnable late) {
            this.deadline = deadline;
            this.late = late;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                if (kept.remove(this)) {
                    changed.signal();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Runs {@code late} at the deadline, unless what this returns is closed before. It must not block. */
    Kept keep(Deadline deadline, Runnable late) {
        Kept added = new Kept(deadline, late);
        lock.lock();
        try {
            kept.add(added);
            if (keeper == null) {
                keeper = threads.vital("path/deadlines", this::run, () -> closed);
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
        return added;
    }

    /** The thread ends once nothing is kept. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() throws InterruptedException {
        for (; ; ) {
            List<Kept> late = awaitLate();
            if (late.isEmpty()) {
                return;
            }
            late.forEach(one -> one.late.run());
        }
    }

    /** Empty once closed. */
    private List<Kept> awaitLate() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            for (; ; ) {
                List<Kept> late =
                        kept.stream().filter(one -> one.deadline.isExpired()).toList();
                if (!late.isEmpty()) {
                    kept.removeAll(late);
                    return late;
                }
                if (kept.isEmpty() && closed) {
                    keeper = null;
                    return List.of();
                }
                if (kept.isEmpty()) {
                    changed.await();
                } else {
                    time.await(changed, next());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private Deadline next() {
        Deadline next = kept.getFirst().deadline;
        for (Kept one : kept) {
            if (one.deadline.left().compareTo(next.left()) < 0) {
                next = one.deadline;
            }
        }
        return next;
    }
}
