package io.cleat.agent.task;

import io.cleat.base.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Moves marks of the wall clock onto one that nobody sets: how long ago a mark was is measured from when this process
 * saw it first. So a clock that jumps makes nothing healthy or unhealthy, and no delay shorter or longer.
 *
 * <p>Of one thread.
 */
public final class MonotonicMarks {
    private final Time time;
    private final Instant start;
    private final long startNanos;
    private final Map<Instant, Instant> seen = new HashMap<>();
    private final Map<Instant, Instant> due = new HashMap<>();

    public MonotonicMarks(Time time) {
        this.time = time;
        this.start = time.now();
        this.startNanos = time.nanos();
    }

    /** Now, by the steady clock. */
    public Instant now() {
        return start.plusNanos(time.nanos() - startNanos);
    }

    /** When a mark was, by the steady clock; one that is still to come is now. */
    public Instant of(Instant mark) {
        return seen.computeIfAbsent(mark, first -> {
            Duration ago = Duration.between(first, time.now());
            return now().minus(ago.isNegative() ? Duration.ZERO : ago);
        });
    }

    /** How long until what was set for a time to come; negative once that is over. */
    public Duration until(Instant mark) {
        Instant then = due.computeIfAbsent(mark, first -> now().plus(Duration.between(time.now(), first)));
        return Duration.between(now(), then);
    }

    /** Forgets all marks but these. */
    public void keep(Collection<Instant> marks) {
        seen.keySet().retainAll(marks);
        due.keySet().retainAll(marks);
    }
}
