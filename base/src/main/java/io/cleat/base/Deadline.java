package io.cleat.base;

import java.time.Duration;

/**
 * A moment by which something must have ended, in elapsed time. It travels with a call, so that the parts of one
 * operation share one budget.
 */
public final class Deadline {
    private final Time time;
    private final long endNanos;

    private Deadline(Time time, long endNanos) {
        this.time = time;
        this.endNanos = endNanos;
    }

    /** The moment {@code duration} from now. */
    public static Deadline in(Time time, Duration duration) {
        return new Deadline(time, time.nanos() + duration.toNanos());
    }

    /** Time left; zero once expired, never negative. */
    public Duration left() {
        return Duration.ofNanos(Math.max(0, endNanos - time.nanos()));
    }

    public boolean isExpired() {
        return endNanos - time.nanos() <= 0;
    }

    /** The earlier of this deadline and {@code limit} from now. */
    public Deadline atMost(Duration limit) {
        Deadline other = in(time, limit);
        return other.endNanos - endNanos < 0 ? other : this;
    }

    @Override
    public String toString() {
        return left().toMillis() + " ms left";
    }
}
