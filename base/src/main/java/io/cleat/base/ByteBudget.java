package io.cleat.base;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory that many share: so many bytes at once, however many they are. Who finds none waits until its deadline, and is
 * then to be refused. Any thread.
 */
public final class ByteBudget {
    private final long size;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition given = lock.newCondition();
    private long taken;

    /** @param size in bytes */
    public ByteBudget(long size, Time time) {
        this.size = size;
        this.time = time;
    }

    /**
     * Takes {@code bytes}, once there are as many. Who takes several times gives all back when one is refused, so that
     * two who wait for each other do so no longer than their deadlines.
     *
     * @return false if there were none by {@code deadline}; then nothing is taken
     */
    public boolean take(long bytes, Deadline deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!fits(bytes)) {
                if (!time.await(given, deadline) && !fits(bytes)) {
                    return false;
                }
            }
            taken += bytes;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes {@code bytes} if there are as many now. */
    public boolean takeNow(long bytes) {
        lock.lock();
        try {
            if (!fits(bytes)) {
                return false;
            }
            taken += bytes;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Gives back what was taken. */
    public void give(long bytes) {
        lock.lock();
        try {
            if (bytes > taken) {
                throw new InvariantBroken("no more bytes are given back than were taken", bytes + " of " + taken);
            }
            taken -= bytes;
            given.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How many bytes are taken. */
    public long taken() {
        lock.lock();
        try {
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private boolean fits(long bytes) {
        return taken + bytes <= size;
    }
}
