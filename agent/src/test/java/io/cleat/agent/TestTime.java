package io.cleat.agent;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

/** Time that passes when it is told to. A sleep moves it on at once. */
public final class TestTime implements Time {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong ahead = new AtomicLong();

    public void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }

    /** The clock is set forth, or back. */
    public void jump(Duration by) {
        ahead.addAndGet(by.toNanos());
    }

    @Override
    public Instant now() {
        return Instant.ofEpochSecond(1_800_000_000L, nanos.get() + ahead.get());
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        advance(duration);
    }

    @SuppressWarnings("WaitNotInLoop")
    @Override
    public boolean await(Condition condition, Deadline deadline) throws InterruptedException {
        // Real waiting, in short steps, each of which counts for a second of this time.
        condition.await(1, TimeUnit.MILLISECONDS);
        advance(Duration.ofSeconds(1));
        return !deadline.isExpired();
    }
}
