package io.cleat.model;

import io.cleat.base.Since;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are placed together on one node and share their volumes; each placement of a group is
 * one allocation.
 *
 * @param count how many allocations are wanted; for a system job, per node, 0 or 1
 * @param volumes by alias
 * @param reschedule absent for system jobs
 * @param migrate absent but for service jobs
 * @param update absent for batch jobs
 * @param maxRunDuration for how long an allocation may run before it fails; null for any time
 */
public record TaskGroup(
        String name,
        int count,
        Map<String, String> meta,
        List<Constraint> constraints,
        Map<String, VolumeRequest> volumes,
        RestartPolicy restart,
        @Nullable ReschedulePolicy reschedule,
        @Nullable MigratePolicy migrate,
        @Nullable UpdatePolicy update,
        EphemeralDisk disk,
        @Nullable Duration shutdownDelay,
        List<Task> tasks,
        @Since(11) List<Affinity> affinities,
        @Since(11) List<Spread> spreads,
        @Since(11) @Nullable Duration maxRunDuration) {
    public TaskGroup {
        meta = Map.copyOf(meta);
        constraints = List.copyOf(constraints);
        volumes = Map.copyOf(volumes);
        tasks = List.copyOf(tasks);
        affinities = List.copyOf(affinities);
        spreads = List.copyOf(spreads);
    }

    /** A group that any node may have that its constraints leave. */
    public TaskGroup(
            String name,
            int count,
            Map<String, String> meta,
            List<Constraint> constraints,
            Map<String, VolumeRequest> volumes,
            RestartPolicy restart,
            @Nullable ReschedulePolicy reschedule,
            @Nullable MigratePolicy migrate,
            @Nullable UpdatePolicy update,
            EphemeralDisk disk,
            @Nullable Duration shutdownDelay,
            List<Task> tasks) {
        this(
                name,
                count,
                meta,
                constraints,
                volumes,
                restart,
                reschedule,
                migrate,
                update,
                disk,
                shutdownDelay,
                tasks,
                List.of(),
                List.of(),
                null);
    }

    public TaskGroup withCount(int wanted) {
        return with(wanted, tasks);
    }

    public TaskGroup withTasks(List<Task> others) {
        return with(count, others);
    }

    private TaskGroup with(int wanted, List<Task> others) {
        return new TaskGroup(
                name,
                wanted,
                meta,
                constraints,
                volumes,
                restart,
                reschedule,
                migrate,
                update,
                disk,
                shutdownDelay,
                others,
                affinities,
                spreads,
                maxRunDuration);
    }

    /** The task of that name. */
    public Optional<Task> task(String task) {
        return tasks.stream().filter(t -> t.name().equals(task)).findFirst();
    }
}
