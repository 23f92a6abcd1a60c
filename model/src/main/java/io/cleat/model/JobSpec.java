package io.cleat.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a user says of a job, every default filled in.
 *
 * @param priority 1 to 100; 50 by default
 * @param datacenters names, where {@code *} stands for any run of characters
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
        List<TaskGroup> groups) {
    public JobSpec {
        datacenters = List.copyOf(datacenters);
        meta = Map.copyOf(meta);
        constraints = List.copyOf(constraints);
        groups = List.copyOf(groups);
    }

    public JobSpec withGroups(List<TaskGroup> others) {
        return new JobSpec(
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
                others);
    }

    /** With another number of allocations of a group; the same if it has no group of that name. */
    public JobSpec scaled(String group, int count) {
        return withGroups(
                groups.stream()
                        .map(each -> each.name().equals(group) ? each.withCount(count) : each)
                        .toList());
    }

    /** The group of that name. */
    public Optional<TaskGroup> group(String group) {
        return groups.stream().filter(g -> g.name().equals(group)).findFirst();
    }
}
