package io.cleat.base;

import java.time.Duration;

/**
 * Exponential waits with jitter: the n-th wait (from 0) is between half of and the whole of {@code first * 2^n}, at
 * most {@code most}.
 */
public record BackOff(Duration first, Duration most) {
    public BackOff {
        if (first.isNegative() || first.isZero() || most.compareTo(first) < 0) {
            throw new IllegalArgumentException("back-off from " + first + " to " + most);
        }
    }

    /** The wait after {@code failures} failures before this one. */
    public Duration wait(int failures, Chance chance) {
        long whole = most.toNanos();
        if (failures < 62 && first.toNanos() <= whole >> failures) {
            whole = first.toNanos() << failures;
        }
        long half = Math.max(1, whole / 2);
        return Duration.ofNanos(whole - half + chance.below(half + 1));
    }
}
