package io.cleat.server.session;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Questions that change nothing, and whose askers wait. Guarded by {@code lock}.
 *
 * @param <A> an answer
 */
final class Questions<A> {
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Optional<A>> open = new HashMap<>();

    Questions(Time time) {
        this.time = time;
    }

    void open(String id) {
        lock.lock();
        try {
            open.put(id, Optional.empty());
        } finally {
            lock.unlock();
        }
    }

    /** False if nobody asked that. */
    boolean answered(String id, A answer) {
        lock.lock();
        try {
            boolean isAsked = open.replace(id, Optional.of(answer)) != null;
            changed.signalAll();
            return isAsked;
        } finally {
            lock.unlock();
        }
    }

    Optional<A> await(String id, Deadline deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            boolean hasTime = true;
            while (hasTime && open.getOrDefault(id, Optional.empty()).isEmpty()) {
                hasTime = time.await(changed, deadline);
            }
            return open.getOrDefault(id, Optional.empty());
        } finally {
            lock.unlock();
        }
    }

    void close(String id) {
        lock.lock();
        try {
            open.remove(id);
        } finally {
            lock.unlock();
        }
    }
}
