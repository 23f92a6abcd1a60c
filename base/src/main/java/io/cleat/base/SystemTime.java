package io.cleat.base;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;

/** The machine's own clocks. */
public final class SystemTime implements Time {
    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        Thread.sleep(duration);
    }

    // The loop is the caller's: this is the wait inside it.
    @SuppressWarnings("WaitNotInLoop")
    @Override
    public boolean await(Condition condition, Deadline deadline) throws InterruptedException {
        long left = deadline.left().toNanos();
        return left > 0 && condition.awaitNanos(left) > 0;
    }
}
