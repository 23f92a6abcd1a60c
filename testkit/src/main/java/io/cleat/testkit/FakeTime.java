package io.cleat.testkit;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

/**
 * A time that passes when a test says so. Whoever sleeps, or waits for something that nobody signals, does so in no
 * time of the machine's, and the time that it would have taken has passed then.
 */
public final class FakeTime implements Time {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong ahead = new AtomicLong();

    /** Lets time pass. */
    public void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    /** Sets the wall clock ahead, or back where it is negative, without time passing. */
    public void jump(Duration by) {
        ahead.addAndGet(by.toNanos());
    }

    /** How much has passed since this was made. */
    public Duration passed() {
        return Duration.ofNanos(nanos.get());
    }

    @Override
    public Instant now() {
        return BEGIN.plusNanos(nanos.get()).plusNanos(ahead.get());
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public void sleep(Duration duration) {
        advance(duration);
    }

    /** @return false: nothing is ever signalled */
    @Override
    public boolean await(Condition condition, Deadline deadline) {
        advance(deadline.left());
        return false;
    }
}
