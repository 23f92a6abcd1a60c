package io.cleat.agent.task;

import io.cleat.base.Chance;
import io.cleat.base.Durations;
import io.cleat.base.Time;
import io.cleat.model.RestartPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a task that ended is started again on this node.
 *
 * <p>At most {@code attempts} restarts in each {@code interval}, counted from the first end in it; a task that was to
 * end, and ended well, is done. The count is the caller's to keep: it is written down, in the machine's time, so that
 * it goes on after the agent's death; while the agent lives a clock that is set changes nothing of it. Of the thread
 * that runs the task.
 */
final class Restarts {
    /** What to do now. */
    sealed interface Decision {
        record Again(Duration after, String reason, RestartCount count) implements Decision {}

        record Never(String reason) implements Decision {}

        /** The task did what it was for. */
        record Done() implements Decision {}
    }

    /** A delay is lengthened by up to a quarter, so that a crowd does not restart as one. */
    private static final int JITTER_PART = 4;

    private final RestartPolicy policy;
    private final boolean doneWhenWell;
    private final Time time;
    private final Chance chance;
    private final MonotonicMarks marks;

    /** @param doneWhenWell whether ending well is what the task is for */
    Restarts(RestartPolicy policy, boolean doneWhenWell, Time time, Chance chance) {
        this.policy = policy;
        this.doneWhenWell = doneWhenWell;
        this.time = time;
        this.chance = chance;
        this.marks = new MonotonicMarks(time);
    }

    /**
     * @param well whether the task ended by itself with exit code 0
     * @param before the count until now; null for the task's first end
     */
    Decision after(boolean well, @Nullable RestartCount before) {
        if (well && doneWhenWell) {
            return new Decision.Done();
        }
        Instant now = time.now();
        marks.of(now);
        RestartCount counted = counted(before, now);
        if (policy.attempts() == 0) {
            return new Decision.Never("Policy allows no restarts");
        }
        if (counted.count() <= policy.attempts()) {
            return again(policy.delay(), "Restart within policy", counted.count(), counted.since());
        }
        return switch (policy.mode()) {
            case FAIL ->
                new Decision.Never("Exceeded allowed attempts "
                        + policy.attempts()
                        + " in interval "
                        + Durations.words(policy.interval())
                        + " and mode is \"fail\"");
            case DELAY -> {
                Duration left = policy.interval().minus(age(counted.since()));
                yield again(
                        left.compareTo(policy.delay()) > 0 ? left : policy.delay(),
                        "Exceeded allowed attempts, applying a delay",
                        0,
                        now);
            }
        };
    }

    /** How long the next start is still to be waited for. */
    Duration left(@Nullable RestartCount count) {
        if (count == null || count.next() == null) {
            return Duration.ZERO;
        }
        Duration left = marks.until(count.next());
        // A clock that was set back does not make it longer than it could have been.
        Duration most = policy.interval().plus(policy.delay());
        return left.compareTo(most) > 0 ? most : left;
    }

    private Decision again(Duration delay, String reason, int count, Instant since) {
        Duration wait = withJitter(delay);
        Instant next = time.now().plus(wait);
        marks.keep(List.of(since, next));
        marks.of(since);
        marks.until(next);
        return new Decision.Again(wait, reason, new RestartCount(count, since, next));
    }

    private Duration age(Instant mark) {
        return Duration.between(marks.of(mark), marks.now());
    }

    /** With one more. A clock that was set back before this start counts as one that stood still. */
    private RestartCount counted(@Nullable RestartCount before, Instant now) {
        if (before == null || before.count() == 0) {
            return new RestartCount(1, now, null);
        }
        Duration age = age(before.since());
        Instant since = before.since().isAfter(now) ? now.minus(age) : before.since();
        return age.compareTo(policy.interval()) < 0
                ? new RestartCount(before.count() + 1, since, null)
                : new RestartCount(1, now, null);
    }

    private Duration withJitter(Duration delay) {
        return delay.plusNanos(chance.below(delay.toNanos() / JITTER_PART + 1));
    }
}
