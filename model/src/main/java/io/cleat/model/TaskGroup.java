package io.cleat.model;

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
        List<Task> tasks) {
    public TaskGroup {
        meta = Map.copyOf(meta);
        constraints = List.copyOf(constraints);
        volumes = Map.copyOf(volumes);
        tasks = List.copyOf(tasks);
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
                others);
    }

    /** The task of that name. */
    public Optional<Task> task(String task) {
        return tasks.stream().filter(t -> t.name().equals(task)).findFirst();
    }
}
