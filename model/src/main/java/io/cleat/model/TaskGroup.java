package io.cleat.model;

import io.cleat.base.Ordered;
import io.cleat.base.Since;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that are placed together on one node and share their volumes; each placement of a group is one allocation.
 *
 * @param count how many allocations are wanted; for a system job, per node, 0 or 1
 * @param volumes by alias
 * @param reschedule absent for system jobs
 * @param migrate absent but for service jobs
 * @param update absent for batch jobs
 * @param maxRunDuration for how long an allocation may run before it fails; null for any time
 * @param network null for the node's own, and no ports of it
 * @param services of the group as a whole; those of one task are the task's
 * @param scaling between which counts it may be scaled; null for any
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
        @Since(15) @Nullable GroupNetwork network,
        @Since(16) List<Service> services,
        @Since(17) @Nullable Scaling scaling) {
    public TaskGroup {
        meta = Ordered.copyOf(meta);
        constraints = List.copyOf(constraints);
        volumes = Ordered.copyOf(volumes);
        tasks = List.copyOf(tasks);
        affinities = List.copyOf(affinities);
        spreads = List.copyOf(spreads);
        services = List.copyOf(services);
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
                null,
                List.of(),
                null);
    }

    public TaskGroup withCount(int wanted) {
        return new Change(this).count(wanted).done();
    }

    public TaskGroup withTasks(List<Task> others) {
        return new Change(this).tasks(others).done();
    }

    public TaskGroup constrained(List<Constraint> others) {
        return new Change(this).constraints(others).done();
    }

    public TaskGroup preferring(List<Affinity> wishes, List<Spread> over) {
        return new Change(this).preferences(wishes, over).done();
    }

    public TaskGroup runningAtMost(@Nullable Duration most) {
        return new Change(this).maxRunDuration(most).done();
    }

    public TaskGroup withNetwork(@Nullable GroupNetwork other) {
        return new Change(this).network(other).done();
    }

    public TaskGroup serving(List<Service> others) {
        return new Change(this).services(others).done();
    }

    public TaskGroup scaling(@Nullable Scaling between) {
        return new Change(this).scaling(between).done();
    }

    /** A group that differs from another in some parts. */
    private static final class Change {
        private final TaskGroup from;
        private int count;
        private List<Constraint> constraints;
        private List<Task> tasks;
        private List<Affinity> affinities;
        private List<Spread> spreads;
        private @Nullable Duration maxRunDuration;
        private @Nullable GroupNetwork network;
        private List<Service> services;
        private @Nullable Scaling scaling;

        Change(TaskGroup from) {
            this.from = from;
            this.count = from.count;
            this.constraints = from.constraints;
            this.tasks = from.tasks;
            this.affinities = from.affinities;
            this.spreads = from.spreads;
            this.maxRunDuration = from.maxRunDuration;
            this.network = from.network;
            this.services = from.services;
            this.scaling = from.scaling;
        }

        Change count(int other) {
            count = other;
            return this;
        }

        Change constraints(List<Constraint> others) {
            constraints = others;
            return this;
        }

        Change tasks(List<Task> others) {
            tasks = others;
            return this;
        }

        Change preferences(List<Affinity> wishes, List<Spread> over) {
            affinities = wishes;
            spreads = over;
            return this;
        }

        Change maxRunDuration(@Nullable Duration other) {
            maxRunDuration = other;
            return this;
        }

        Change network(@Nullable GroupNetwork other) {
            network = other;
            return this;
        }

        Change services(List<Service> others) {
            services = others;
            return this;
        }

        Change scaling(@Nullable Scaling other) {
            scaling = other;
            return this;
        }

        TaskGroup done() {
            return new TaskGroup(
                    from.name,
                    count,
                    from.meta,
                    constraints,
                    from.volumes,
                    from.restart,
                    from.reschedule,
                    from.migrate,
                    from.update,
                    from.disk,
                    from.shutdownDelay,
                    tasks,
                    affinities,
                    spreads,
                    maxRunDuration,
                    network,
                    services,
                    scaling);
        }
    }

    /** The services of the group, and those of its tasks, in the order in which they are written. */
    public List<Service> allServices() {
        return Stream.concat(services.stream(), tasks.stream().flatMap(task -> task.services().stream()))
                .toList();
    }

    /** The task of that name. */
    public Optional<Task> task(String task) {
        return tasks.stream().filter(t -> t.name().equals(task)).findFirst();
    }
}
