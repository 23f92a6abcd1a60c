package io.cleat.server.session;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import io.cleat.wire.OrderOutcome;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Calls that change nothing, and whose callers wait. Guarded by {@code lock}. */
final class Questions {
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Optional<OrderOutcome>> open = new HashMap<>();

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
    boolean answered(String id, OrderOutcome outcome) {
        lock.lock();
        try {
            boolean isAsked = open.replace(id, Optional.of(outcome)) != null;
            changed.signalAll();
            return isAsked;
        } finally {
            lock.unlock();
        }
    }

    Optional<OrderOutcome> await(String id, Deadline deadline) throws InterruptedException {
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
