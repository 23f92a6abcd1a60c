package io.cleat.server.duty;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes one sleeper; a ring while nobody sleeps is remembered. Guarded by {@code lock}. */
final class Bell {
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rung = lock.newCondition();
    private boolean isRung;

    Bell(Time time) {
        this.time = time;
    }

    void ring() {
        lock.lock();
        try {
            isRung = true;
            rung.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a ring, at most so long. */
    void await(Duration most) throws InterruptedException {
        Deadline deadline = Deadline.in(time, most);
        lock.lockInterruptibly();
        try {
            boolean hasTime = true;
            while (!isRung && hasTime) {
                hasTime = time.await(rung, deadline);
            }
            isRung = false;
        } finally {
            lock.unlock();
        }
    }
}
