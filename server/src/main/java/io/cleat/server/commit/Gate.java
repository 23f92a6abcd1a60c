package io.cleat.server.commit;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A place for one value that another thread brings. Guarded by {@code lock}. */
final class Gate<T> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable T value;

    void bring(T brought) {
        lock.lock();
        try {
            value = brought;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the value away, so that the next one is waited for. */
    void empty() {
        lock.lock();
        try {
            value = null;
        } finally {
            lock.unlock();
        }
    }

    /** The value, or nothing when {@code deadline} passes first. */
    Optional<T> await(Time time, Deadline deadline) throws InterruptedException {
        lock.lock();
        try {
            boolean hasTime = true;
            while (hasTime && value == null) {
                hasTime = time.await(changed, deadline);
            }
            return Optional.ofNullable(value);
        } finally {
            lock.unlock();
        }
    }
}
