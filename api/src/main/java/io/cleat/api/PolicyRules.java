package io.cleat.api;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of the policies of a group: restart, reschedule, migrate, update. */
final class PolicyRules {
    private static final Set<String> HEALTH_CHECKS = Set.of("checks", "task_states", "manual");
    private static final int ALL_NODES = 100;
    private static final long SHORTEST_INTERVAL = Duration.ofSeconds(5).toNanos();

    private PolicyRules() {}

    static void check(Job job, TaskGroup group, Faults faults) {
        restart(group.RestartPolicy(), faults);
        reschedule(job, group.ReschedulePolicy(), faults);
        migrate(job, group.Migrate(), faults);
        update(job, group, faults);
    }

    static void restart(@Nullable RestartPolicy policy, Faults faults) {
        if (policy == null) {
            faults.add("Missing restart policy");
            return;
        }
        PolicyBlocks.RESTART.check(policy, faults);
        String mode = Canonical.or(policy.Mode(), "");
        int attempts = Canonical.or(policy.Attempts(), 0);
        long interval = Canonical.or(policy.Interval(), 0L);
        long delay = Canonical.or(policy.Delay(), 0L);
        faults.addIf(
                attempts == 0 && mode.equals("delay"),
                "Restart policy \"delay\" with 0 attempts is ambiguous; use mode \"fail\"");
        faults.addIf(
                attempts > 0 && interval < SHORTEST_INTERVAL,
                "Interval can not be less than 5s (got " + Duration.ofNanos(interval) + ")");
        faults.addIf(
                attempts > 0 && delay > 0 && attempts > interval / delay,
                "the task group can't be restarted "
                        + attempts
                        + " times in an interval of "
                        + Duration.ofNanos(interval)
                        + " with a delay of "
                        + Duration.ofNanos(delay));
    }

    private static void update(Job job, TaskGroup group, Faults faults) {
        UpdateStrategy update = group.Update();
        if (update == null) {
            return;
        }
        PolicyBlocks.UPDATE.check(update, faults);
        int canaries = Canonical.or(update.Canary(), 0);
        if (JobValidation.isOnEachNode(job)) {
            faults.addIf(
                    canaries > ALL_NODES,
                    "Canary count of a system job is a percentage of its nodes; %d is more than 100"
                            .formatted(canaries));
            faults.addIf(
                    canaries > 0 && Canonical.orElse(job.Type(), "").equals("sysbatch"),
                    "Canaries are for service and system jobs: a sysbatch job has no deployment; set canary = 0");
        }
        faults.addIf(
                Canonical.or(update.AutoPromote(), false) && canaries == 0,
                "Auto Promote requires a Canary count greater than zero");
        int atOnce = Canonical.or(update.MaxParallel(), 1);
        faults.addIf(canaries > 0 && atOnce == 0, "Canary count requires max_parallel greater than zero");
        healthCheck(update.HealthCheck(), faults);
        long minimum = Canonical.or(update.MinHealthyTime(), 0L);
        long healthy = Canonical.or(update.HealthyDeadline(), 0L);
        long progress = Canonical.or(update.ProgressDeadline(), 0L);
        faults.addIf(minimum >= healthy && healthy > 0, "Minimum healthy time must be less than healthy deadline");
        faults.addIf(progress > 0 && healthy >= progress, "Healthy deadline must be less than progress deadline");
    }

    private static void reschedule(Job job, @Nullable ReschedulePolicy policy, Faults faults) {
        if (policy == null) {
            return;
        }
        if (JobValidation.isOnEachNode(job)) {
            faults.add("System jobs should not have a reschedule policy: they run on every node");
            return;
        }
        int attempts = Canonical.or(policy.Attempts(), 0);
        boolean unlimited = Canonical.or(policy.Unlimited(), false);
        long interval = Canonical.or(policy.Interval(), 0L);
        long delay = Canonical.or(policy.Delay(), 0L);
        PolicyBlocks.RESCHEDULE.check(policy, faults);
        if (attempts <= 0 && !unlimited) {
            return;
        }
        faults.addIf(
                attempts > 0 && unlimited,
                "Reschedule policy with "
                        + attempts
                        + " attempts and unlimited = true is ambiguous; set unlimited = false, or leave attempts out");
        faults.addIf(
                !unlimited && interval <= 0,
                "Reschedule policy with " + attempts + " attempts needs the interval in which they count");
        String function = Canonical.or(policy.DelayFunction(), "");
        boolean isKnown = PolicyBlocks.DELAY_FUNCTIONS.contains(function);
        faults.addIf(
                !isKnown, "Invalid delay function \"" + function + "\"; expected constant, exponential or fibonacci");
        faults.addIf(delay <= 0, "Reschedule delay must be greater than zero");
        long most = Canonical.or(policy.MaxDelay(), 0L);
        faults.addIf(
                isKnown && !function.equals("constant") && most < delay,
                "Max Delay cannot be less than Delay "
                        + Duration.ofNanos(delay)
                        + " (got "
                        + Duration.ofNanos(most)
                        + ")");
    }

    private static void migrate(Job job, @Nullable MigrateStrategy policy, Faults faults) {
        if (policy == null) {
            return;
        }
        if (!"service".equals(job.Type())) {
            faults.add("Job type \"" + job.Type() + "\" does not allow migrate block");
            return;
        }
        PolicyBlocks.MIGRATE.check(policy, faults);
        healthCheck(policy.HealthCheck(), faults);
        long minimum = Canonical.or(policy.MinHealthyTime(), 0L);
        long healthy = Canonical.or(policy.HealthyDeadline(), 0L);
        faults.addIf(minimum >= healthy, "Minimum healthy time must be less than healthy deadline");
    }

    private static void healthCheck(@Nullable String given, Faults faults) {
        String check = Canonical.orElse(given, "checks");
        faults.addIf(
                !HEALTH_CHECKS.contains(check),
                "Invalid health check \"" + check + "\"; expected checks, task_states or manual");
    }
}
