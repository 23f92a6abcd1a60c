package io.cleat.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The policies of a group where a job says nothing, by the job's type. What is given wins value by value; what an outer
 * block gives wins over the default.
 */
final class PolicyDefaults {
    static final UpdateStrategy UPDATE = new UpdateStrategy(
            false,
            false,
            0,
            "checks",
            ns(Duration.ofMinutes(5)),
            1,
            ns(Duration.ofSeconds(10)),
            ns(Duration.ofMinutes(10)),
            ns(Duration.ofSeconds(30)));

    private static final MigrateStrategy MIGRATE =
            new MigrateStrategy("checks", ns(Duration.ofMinutes(5)), 1, ns(Duration.ofSeconds(10)));

    private static final RestartPolicy RESTART = restartPolicy(2, Duration.ofMinutes(30));
    private static final RestartPolicy RESTART_BATCH = restartPolicy(3, Duration.ofHours(24));

    private static final ReschedulePolicy RESCHEDULE =
            new ReschedulePolicy(0, ns(Duration.ofSeconds(30)), "exponential", 0L, ns(Duration.ofHours(1)), true);
    private static final ReschedulePolicy RESCHEDULE_BATCH =
            new ReschedulePolicy(1, ns(Duration.ofSeconds(5)), "constant", ns(Duration.ofHours(24)), 0L, false);

    private PolicyDefaults() {}

    static long ns(Duration duration) {
        return duration.toNanos();
    }

    static RestartPolicy restart(String type, @Nullable RestartPolicy given) {
        return Edit.over(isBatch(type) ? RESTART_BATCH : RESTART, given);
    }

    static @Nullable ReschedulePolicy reschedule(
            String type, @Nullable ReschedulePolicy job, @Nullable ReschedulePolicy group) {
        return switch (type) {
            case "service" -> Edit.over(Edit.over(RESCHEDULE, job), group);
            case "batch" -> Edit.over(Edit.over(RESCHEDULE_BATCH, job), group);
            default -> group;
        };
    }

    static @Nullable MigrateStrategy migrate(
            String type, @Nullable MigrateStrategy job, @Nullable MigrateStrategy group) {
        return type.equals("service") ? Edit.over(Edit.over(MIGRATE, job), group) : group;
    }

    /** Null for the types that are not updated step by step. */
    static @Nullable UpdateStrategy update(String type, @Nullable UpdateStrategy job, @Nullable UpdateStrategy group) {
        return isBatch(type) ? group : Edit.over(Edit.over(UPDATE, job), group);
    }

    static boolean isBatch(String type) {
        return type.equals("batch") || type.equals("sysbatch");
    }

    private static RestartPolicy restartPolicy(int attempts, Duration interval) {
        return new RestartPolicy(attempts, ns(Duration.ofSeconds(15)), ns(interval), "fail", false);
    }
}
