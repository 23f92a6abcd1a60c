package io.cleat.server.duty;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes one sleeper; a signal while nobody sleeps is remembered. Guarded by {@code lock}. */
final class WakeUp {
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition signalled = lock.newCondition();
    private boolean isSignalled;

    WakeUp(Time time) {
        this.time = time;
    }

    void signal() {
        lock.lock();
        try {
            isSignalled = true;
            signalled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a signal, at most so long. */
    void await(Duration most) throws InterruptedException {
        Deadline deadline = Deadline.in(time, most);
        lock.lockInterruptibly();
        try {
            boolean hasTime = true;
            while (!isSignalled && hasTime) {
                hasTime = time.await(signalled, deadline);
            }
            isSignalled = false;
        } finally {
            lock.unlock();
        }
    }
}
