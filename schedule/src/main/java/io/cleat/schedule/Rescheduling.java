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

/** When a failed allocation is placed anew, by its policy and what was done for it before. */
final class Rescheduling {
    private Rescheduling() {}

    /** Empty if its attempts are used up. */
    static Optional<Instant> next(ReschedulePolicy policy, AllocationRow failed) {
        Instant failedAt = failedAt(failed);
        List<RescheduleEvent> before = failed.reschedules();
        if (!policy.unlimited()) {
            long recent =
                    before.stream()
                            .filter(event -> event.at().isAfter(failedAt.minus(policy.interval())))
                            .count();
            if (recent >= policy.attempts()) {
                return Optional.empty();
            }
        }
        return Optional.of(failedAt.plus(delay(policy, before.size())));
    }

    /** When its last task ended, or when it was known to have failed before any had begun. */
    static Instant failedAt(AllocationRow failed) {
        return failed.tasks().values().stream()
                .map(TaskState::finishedAt)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElseGet(() -> Objects.requireNonNullElse(failed.endedAt(), failed.modifiedAt()));
    }

    static Duration delay(ReschedulePolicy policy, int before) {
        Duration most =
                policy.maxDelay().compareTo(policy.delay()) < 0
                        ? Duration.ofDays(365)
                        : policy.maxDelay();
        return switch (policy.delayFunction()) {
            case "exponential" -> grow(policy.delay(), most, before, true);
            case "fibonacci" -> grow(policy.delay(), most, before, false);
            default -> policy.delay();
        };
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
