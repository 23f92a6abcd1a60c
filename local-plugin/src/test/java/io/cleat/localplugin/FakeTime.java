package io.cleat.localplugin;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

/** Time that passes only while somebody sleeps. */
final class FakeTime implements Time {
    private final AtomicLong nanos = new AtomicLong();

    @Override
    public Instant now() {
        return Instant.ofEpochSecond(1_767_225_600, nanos.get());
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public void sleep(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }

    @Override
    public boolean await(Condition condition, Deadline deadline) {
        nanos.addAndGet(deadline.left().toNanos());
        return false;
    }
}
