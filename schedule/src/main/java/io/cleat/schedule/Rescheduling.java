package io.cleat.schedule;

import io.cleat.model.ReschedulePolicy;
import io.cleat.model.TaskState;
import io.cleat.state.AllocationRow;
import io.cleat.state.RescheduleEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** When a failed allocation is rescheduled, by its policy and what was done for it before. */
public final class Rescheduling {
    /** How many of its predecessors' ends an allocation tells of: they add up for ever. */
    public static final int KEPT = 100;

    private Rescheduling() {}

    /** Those that an allocation keeps: the newest. */
    public static List<RescheduleEvent> kept(List<RescheduleEvent> all) {
        return all.subList(Math.max(0, all.size() - KEPT), all.size());
    }

    /** Empty if its attempts are used up. */
    static Optional<Instant> next(ReschedulePolicy policy, AllocationRow failed) {
        Instant failedAt = failedAt(failed);
        List<RescheduleEvent> before = failed.lineage().reschedules();
        if (!policy.unlimited()) {
            long recent = before.stream()
                    .filter(event -> event.at().isAfter(failedAt.minus(policy.interval())))
                    .count();
            if (recent >= Math.min(KEPT, policy.attempts())) {
                return Optional.empty();
            }
        }
        return Optional.of(failedAt.plus(delay(policy, inARow(policy, before, failedAt))));
    }

    /** When its last task ended, or when it was known to have failed before any had begun. */
    static Instant failedAt(AllocationRow failed) {
        return failed.seen().tasks().values().stream()
                .map(TaskState::finishedAt)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElseGet(() -> Objects.requireNonNullElse(
                        failed.seen().endedAt(), failed.stamps().modifiedAt()));
    }

    static Duration delay(ReschedulePolicy policy, int before) {
        return switch (policy.delayFunction()) {
            case "exponential" -> grow(policy.delay(), longest(policy), before, true);
            case "fibonacci" -> grow(policy.delay(), longest(policy), before, false);
            default -> policy.delay();
        };
    }

    private static Duration longest(ReschedulePolicy policy) {
        return policy.maxDelay().compareTo(policy.delay()) < 0 ? Duration.ofDays(365) : policy.maxDelay();
    }

    /**
     * How often it failed one time after the other. What ran for longer than the longest delay before it failed had got
     * over what was before.
     */
    private static int inARow(ReschedulePolicy policy, List<RescheduleEvent> before, Instant failedAt) {
        int count = 0;
        Instant failed = failedAt;
        for (RescheduleEvent event : before.reversed()) {
            if (Duration.between(event.at(), failed).compareTo(longest(policy)) > 0) {
                break;
            }
            count++;
            failed = event.at().minus(event.delay());
        }
        return count;
    }

    private static Duration grow(Duration first, Duration most, int before, boolean doubling) {
        Duration previous = Duration.ZERO;
        Duration delay = first;
        for (int i = 0; i < before && delay.compareTo(most) < 0; i++) {
            Duration next = delay.plus(doubling ? delay : previous);
            previous = delay;
            delay = next;
        }
        return delay.compareTo(most) < 0 ? delay : most;
    }
}
