package io.cleat.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The policies of a group where a job says nothing, by the job's type. What is given wins value by
 * value; what an outer block gives wins over the default.
 */
final class PolicyDefaults {
    static final UpdateStrategy UPDATE =
            new UpdateStrategy(
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
            new ReschedulePolicy(
                    0,
                    ns(Duration.ofSeconds(30)),
                    "exponential",
                    0L,
                    ns(Duration.ofHours(1)),
                    true);
    private static final ReschedulePolicy RESCHEDULE_BATCH =
            new ReschedulePolicy(
                    1, ns(Duration.ofSeconds(5)), "constant", ns(Duration.ofHours(24)), 0L, false);

    private PolicyDefaults() {}

    static long ns(Duration duration) {
        return duration.toNanos();
    }

    static RestartPolicy restart(String type, @Nullable RestartPolicy given) {
        return over(isBatch(type) ? RESTART_BATCH : RESTART, given);
    }

    /** {@code given} where it says something, else {@code outer}. */
    static RestartPolicy over(RestartPolicy outer, @Nullable RestartPolicy given) {
        if (given == null) {
            return outer;
        }
        return new RestartPolicy(
                or(given.Attempts(), outer.Attempts()),
                or(given.Delay(), outer.Delay()),
                or(given.Interval(), outer.Interval()),
                or(given.Mode(), outer.Mode()),
                or(given.RenderTemplates(), outer.RenderTemplates()));
    }

    static @Nullable ReschedulePolicy reschedule(
            String type, @Nullable ReschedulePolicy job, @Nullable ReschedulePolicy group) {
        return switch (type) {
            case "service" -> over(over(RESCHEDULE, job), group);
            case "batch" -> over(over(RESCHEDULE_BATCH, job), group);
            default -> group;
        };
    }

    private static ReschedulePolicy over(ReschedulePolicy outer, @Nullable ReschedulePolicy given) {
        if (given == null) {
            return outer;
        }
        return new ReschedulePolicy(
                or(given.Attempts(), outer.Attempts()),
                or(given.Delay(), outer.Delay()),
                or(given.DelayFunction(), outer.DelayFunction()),
                or(given.Interval(), outer.Interval()),
                or(given.MaxDelay(), outer.MaxDelay()),
                or(given.Unlimited(), outer.Unlimited()));
    }

    static @Nullable MigrateStrategy migrate(
            String type, @Nullable MigrateStrategy job, @Nullable MigrateStrategy group) {
        return type.equals("service") ? over(over(MIGRATE, job), group) : group;
    }

    private static MigrateStrategy over(MigrateStrategy outer, @Nullable MigrateStrategy given) {
        if (given == null) {
            return outer;
        }
        return new MigrateStrategy(
                or(given.HealthCheck(), outer.HealthCheck()),
                or(given.HealthyDeadline(), outer.HealthyDeadline()),
                or(given.MaxParallel(), outer.MaxParallel()),
                or(given.MinHealthyTime(), outer.MinHealthyTime()));
    }

    /** Null for the types that are not updated step by step. */
    static @Nullable UpdateStrategy update(
            String type, @Nullable UpdateStrategy job, @Nullable UpdateStrategy group) {
        return isBatch(type) ? group : over(over(UPDATE, job), group);
    }

    private static UpdateStrategy over(UpdateStrategy outer, @Nullable UpdateStrategy given) {
        if (given == null) {
            return outer;
        }
        return new UpdateStrategy(
                or(given.AutoPromote(), outer.AutoPromote()),
                or(given.AutoRevert(), outer.AutoRevert()),
                or(given.Canary(), outer.Canary()),
                or(given.HealthCheck(), outer.HealthCheck()),
                or(given.HealthyDeadline(), outer.HealthyDeadline()),
                or(given.MaxParallel(), outer.MaxParallel()),
                or(given.MinHealthyTime(), outer.MinHealthyTime()),
                or(given.ProgressDeadline(), outer.ProgressDeadline()),
                or(given.Stagger(), outer.Stagger()));
    }

    static boolean isBatch(String type) {
        return type.equals("batch") || type.equals("sysbatch");
    }

    private static RestartPolicy restartPolicy(int attempts, Duration interval) {
        return new RestartPolicy(attempts, ns(Duration.ofSeconds(15)), ns(interval), "fail", false);
    }

    private static <T> @Nullable T or(@Nullable T given, @Nullable T outer) {
        return given == null ? outer : given;
    }
}
