package io.cleat.agent.alloc;

import io.cleat.model.MigratePolicy;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskLifecycle.Hook;
import io.cleat.model.TaskState;
import io.cleat.model.UpdatePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * When an allocation counts as healthy: its tasks have run for {@code minimum} without an end, and that before
 * {@code deadline} has passed. Pure.
 *
 * @param minimum how long
 * @param deadline since the look began
 * @param checks whether those of its services have to be well, too
 */
record HealthRule(TaskGroup group, Duration minimum, Duration deadline, boolean checks) {
    private static final String MANUAL = "manual";
    private static final String CHECKS = "checks";

    /** What is known. */
    sealed interface Verdict {
        record Healthy() implements Verdict {}

        record Unhealthy(String why) implements Verdict {}

        /** Nothing yet; it may be known by then though nothing happens. */
        record Later(Instant at) implements Verdict {}
    }

    /**
     * The rule of a group; empty where a person says it, or nobody asks.
     *
     * @param deployed whether a deployment asks; else it is for those who move allocations
     */
    static Optional<HealthRule> of(TaskGroup group, boolean deployed) {
        UpdatePolicy update = group.update();
        MigratePolicy migrate = group.migrate();
        if (deployed && update != null) {
            return update.healthCheck().equals(MANUAL)
                    ? Optional.empty()
                    : Optional.of(new HealthRule(
                            group,
                            update.minHealthyTime(),
                            update.healthyDeadline(),
                            update.healthCheck().equals(CHECKS)));
        }
        return migrate == null
                ? Optional.empty()
                : Optional.of(new HealthRule(
                        group,
                        migrate.minHealthyTime(),
                        migrate.healthyDeadline(),
                        migrate.healthCheck().equals(CHECKS)));
    }

    /** How the checks of services are that count. */
    record Checks(Instant since, Optional<String> unwell) {
        /** Where there is none. */
        static final Checks NONE = new Checks(Instant.EPOCH, Optional.empty());
    }

    /** @param since when the look began */
    Verdict look(Map<String, TaskState> states, Checks services, Instant since, Instant now) {
        Instant end = since.plus(deadline);
        Instant lastStart = since;
        boolean allUp = true;
        for (Task task : group.tasks()) {
            if (task.isHook(Hook.POSTSTOP)) {
                continue;
            }
            TaskState state = states.getOrDefault(task.name(), TaskState.PENDING);
            boolean isToEnd = !task.isMain() && !task.isSidecar();
            switch (state.phase()) {
                case DEAD -> {
                    if (state.failed()) {
                        return new Verdict.Unhealthy("Unhealthy because of failed task \"" + task.name() + "\"");
                    }
                    if (!isToEnd) {
                        return new Verdict.Unhealthy("Unhealthy because of dead task \"" + task.name() + "\"");
                    }
                }
                case PENDING -> allUp = false;
                case RUNNING -> {
                    Instant started = state.startedAt();
                    if (isToEnd && task.isHook(Hook.PRESTART)) {
                        allUp = false;
                    } else if (started != null && started.isAfter(lastStart)) {
                        lastStart = started;
                    }
                }
            }
        }
        Optional<String> unwell = checks ? services.unwell() : Optional.empty();
        if (checks && services.since().isAfter(lastStart)) {
            lastStart = services.since();
        }
        boolean isRunning = allUp;
        allUp &= unwell.isEmpty();
        Instant up = lastStart.plus(minimum);
        if (allUp && !up.isAfter(now)) {
            return new Verdict.Healthy();
        }
        if (!end.isAfter(now) && isRunning && unwell.isPresent()) {
            return new Verdict.Unhealthy(unwell.get() + " by healthy_deadline of " + deadline.toSeconds() + "s");
        }
        if (!end.isAfter(now)) {
            return new Verdict.Unhealthy("Task not running for min_healthy_time of "
                    + minimum.toSeconds()
                    + "s by healthy_deadline of "
                    + deadline.toSeconds()
                    + "s");
        }
        return new Verdict.Later(allUp && up.isBefore(end) ? up : end);
    }
}
