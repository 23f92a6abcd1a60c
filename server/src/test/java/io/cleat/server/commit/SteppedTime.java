package io.cleat.server.commit;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;

/** Time that a single-threaded test moves; nothing can wait on it. */
public final class SteppedTime implements Time {
    private long nanos;
    private Duration wallAhead = Duration.ZERO;

    public void advance(Duration by) {
        nanos += by.toNanos();
    }

    /** Sets the wall clock ahead, or back when negative, without time passing. */
    void jump(Duration by) {
        wallAhead = wallAhead.plus(by);
    }

    @Override
    public Instant now() {
        return Instant.parse("2026-01-01T00:00:00Z").plusNanos(nanos).plus(wallAhead);
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public void sleep(Duration duration) {
        throw new UnsupportedOperationException("this test has one thread");
    }

    @Override
    public boolean await(Condition condition, Deadline deadline) {
        throw new UnsupportedOperationException("this test has one thread");
    }
}
