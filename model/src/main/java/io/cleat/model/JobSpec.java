package io.cleat.model;

import io.cleat.base.Ordered;
import io.cleat.base.Since;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a user says of a job, every default filled in.
 *
 * @param priority 1 to 100; 50 by default
 * @param datacenters names, where {@code *} stands for any run of characters
 * @param launch what has it run, where that is not its registration; null where it is
 * @param affinities of all its groups
 * @param spreads of all its groups, each by itself
 */
public record JobSpec(
        JobId id,
        String name,
        JobType type,
        String region,
        String nodePool,
        int priority,
        boolean allAtOnce,
        List<String> datacenters,
        Map<String, String> meta,
        List<Constraint> constraints,
        List<TaskGroup> groups,
        @Since(11) @Nullable JobLaunch launch,
        @Since(11) List<Affinity> affinities,
        @Since(11) List<Spread> spreads) {
    public JobSpec {
        datacenters = List.copyOf(datacenters);
        meta = Ordered.copyOf(meta);
        constraints = List.copyOf(constraints);
        groups = List.copyOf(groups);
        affinities = List.copyOf(affinities);
        spreads = List.copyOf(spreads);
    }

    /** A job that runs once it is registered, on any node that its constraints leave. */
    public JobSpec(
            JobId id,
            String name,
            JobType type,
            String region,
            String nodePool,
            int priority,
            boolean allAtOnce,
            List<String> datacenters,
            Map<String, String> meta,
            List<Constraint> constraints,
            List<TaskGroup> groups) {
        this(
                id,
                name,
                type,
                region,
                nodePool,
                priority,
                allAtOnce,
                datacenters,
                meta,
                constraints,
                groups,
                null,
                List.of(),
                List.of());
    }

    public JobSpec withLaunch(@Nullable JobLaunch other) {
        return with(id, name, priority, meta, groups, other);
    }

    /** Whether it has copies of itself run, and nothing of its own. */
    public boolean launchesChildren() {
        return launch instanceof JobLaunch.Periodic || launch instanceof JobLaunch.Parameterized;
    }

    /** The job that it is a copy of. */
    public Optional<JobId> parent() {
        return launch instanceof JobLaunch.Child child
                ? Optional.of(new JobId(id.namespace(), child.parent()))
                : Optional.empty();
    }

    /**
     * A copy of it, which has its id for a name.
     *
     * @param more entries of {@code meta} that are added to it, or are there instead
     */
    public JobSpec child(String childId, int childPriority, Map<String, String> more, JobLaunch.Child child) {
        Map<String, String> all = new TreeMap<>(meta);
        all.putAll(more);
        return with(new JobId(id.namespace(), childId), childId, childPriority, all, groups, child);
    }

    public JobSpec withGroups(List<TaskGroup> others) {
        return with(id, name, priority, meta, others, launch);
    }

    private JobSpec with(
            JobId otherId,
            String otherName,
            int otherPriority,
            Map<String, String> otherMeta,
            List<TaskGroup> others,
            @Nullable JobLaunch otherLaunch) {
        return new JobSpec(
                otherId,
                otherName,
                type,
                region,
                nodePool,
                otherPriority,
                allAtOnce,
                datacenters,
                otherMeta,
                constraints,
                others,
                otherLaunch,
                affinities,
                spreads);
    }

    /** With another number of allocations of a group; the same if it has no group of that name. */
    public JobSpec scaled(String group, int count) {
        return withGroups(groups.stream()
                .map(each -> each.name().equals(group) ? each.withCount(count) : each)
                .toList());
    }

    /** The group of that name. */
    public Optional<TaskGroup> group(String group) {
        return groups.stream().filter(g -> g.name().equals(group)).findFirst();
    }
}
