package io.cleat.agent.task;

import io.cleat.base.Chance;
import io.cleat.base.Time;
import io.cleat.model.RestartPolicy;
import java.time.Duration;

/**
 * Decides whether a task that ended is started again on this node.
 *
 * <p>At most {@code attempts} restarts in each {@code interval}, counted from the first end in it;
 * a task that was to end, and ended well, is done. One thread, the task's.
 */
final class Restarts {
    /** What to do now. */
    sealed interface Decision {
        record Again(Duration after, String reason) implements Decision {}

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
    private int count;
    private long intervalStart;

    /**
     * @param doneWhenWell whether ending well is what the task is for
     */
    Restarts(RestartPolicy policy, boolean doneWhenWell, Time time, Chance chance) {
        this.policy = policy;
        this.doneWhenWell = doneWhenWell;
        this.time = time;
        this.chance = chance;
    }

    /**
     * @param well whether the task ended by itself with exit code 0
     */
    Decision after(boolean well) {
        if (well && doneWhenWell) {
            return new Decision.Done();
        }
        long now = time.nanos();
        if (count == 0 || now - intervalStart >= policy.interval().toNanos()) {
            intervalStart = now;
            count = 0;
        }
        count++;
        if (policy.attempts() == 0) {
            return new Decision.Never("Policy allows no restarts");
        }
        if (count <= policy.attempts()) {
            return new Decision.Again(withJitter(policy.delay()), "Restart within policy");
        }
        return switch (policy.mode()) {
            case FAIL ->
                    new Decision.Never(
                            "Exceeded allowed attempts "
                                    + policy.attempts()
                                    + " in interval "
                                    + TaskEvents.words(policy.interval())
                                    + " and mode is \"fail\"");
            case DELAY -> {
                long left = policy.interval().toNanos() - (now - intervalStart);
                count = 0;
                yield new Decision.Again(
                        withJitter(Duration.ofNanos(Math.max(left, policy.delay().toNanos()))),
                        "Exceeded allowed attempts, applying a delay");
            }
        };
    }

    private Duration withJitter(Duration delay) {
        return delay.plusNanos(chance.below(delay.toNanos() / JITTER_PART + 1));
    }
}
