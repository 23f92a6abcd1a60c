package io.cleat.csi;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets a fixed number through at once. */
final class Gate {
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();

    @GuardedBy("lock")
    private int free;

    Gate(int places, Time time) {
        this.free = places;
        this.time = time;
    }

    /** Waits for a place; false when the deadline passes first. */
    boolean enter(Deadline deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (free == 0) {
                if (!time.await(freed, deadline)) {
                    return false;
                }
            }
            free--;
            return true;
        } finally {
            lock.unlock();
        }
    }

    void leave() {
        lock.lock();
        try {
            free++;
            freed.signal();
        } finally {
            lock.unlock();
        }
    }
}
