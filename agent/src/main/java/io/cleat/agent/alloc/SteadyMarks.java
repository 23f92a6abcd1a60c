package io.cleat.agent.alloc;

import io.cleat.base.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Moves marks of the wall clock onto one that nobody sets: how long ago a mark was is measured from
 * when this process saw it first. So a clock that jumps, in a deployment, makes nothing healthy or
 * unhealthy.
 *
 * <p>Of one thread.
 */
final class SteadyMarks {
    private final Time time;
    private final Instant start;
    private final long startNanos;
    private final Map<Instant, Instant> seen = new HashMap<>();

    SteadyMarks(Time time) {
        this.time = time;
        this.start = time.now();
        this.startNanos = time.nanos();
    }

    /** Now, by the steady clock. */
    Instant now() {
        return start.plusNanos(time.nanos() - startNanos);
    }

    /** When a mark was, by the steady clock; one that is still to come is now. */
    Instant of(Instant mark) {
        return seen.computeIfAbsent(
                mark,
                first -> {
                    Duration ago = Duration.between(first, time.now());
                    return now().minus(ago.isNegative() ? Duration.ZERO : ago);
                });
    }

    /** Forgets all marks but these. */
    void keep(Collection<Instant> marks) {
        seen.keySet().retainAll(marks);
    }
}
