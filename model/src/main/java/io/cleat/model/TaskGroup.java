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
 * @param network null for the node's own, and no ports of it
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
        @Since(11) @Nullable Duration maxRunDuration,
        @Since(15) @Nullable GroupNetwork network) {
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
                null,
                null);
    }

    public TaskGroup withCount(int wanted) {
        return with(wanted, constraints, tasks, affinities, spreads, maxRunDuration, network);
    }

    public TaskGroup withTasks(List<Task> others) {
        return with(count, constraints, others, affinities, spreads, maxRunDuration, network);
    }

    public TaskGroup constrained(List<Constraint> others) {
        return with(count, others, tasks, affinities, spreads, maxRunDuration, network);
    }

    public TaskGroup preferring(List<Affinity> wishes, List<Spread> over) {
        return with(count, constraints, tasks, wishes, over, maxRunDuration, network);
    }

    public TaskGroup runningAtMost(@Nullable Duration most) {
        return with(count, constraints, tasks, affinities, spreads, most, network);
    }

    public TaskGroup withNetwork(@Nullable GroupNetwork other) {
        return with(count, constraints, tasks, affinities, spreads, maxRunDuration, other);
    }

    private TaskGroup with(
            int wanted,
            List<Constraint> others,
            List<Task> otherTasks,
            List<Affinity> wishes,
            List<Spread> over,
            @Nullable Duration most,
            @Nullable GroupNetwork otherNetwork) {
        return new TaskGroup(
                name,
                wanted,
                meta,
                others,
                volumes,
                restart,
                reschedule,
                migrate,
                update,
                disk,
                shutdownDelay,
                otherTasks,
                wishes,
                over,
                most,
                otherNetwork);
    }

    /** The task of that name. */
    public Optional<Task> task(String task) {
        return tasks.stream().filter(t -> t.name().equals(task)).findFirst();
    }
}
