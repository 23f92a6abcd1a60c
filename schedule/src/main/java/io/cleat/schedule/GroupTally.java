package io.cleat.schedule;

import io.cleat.model.ClientStatus;
import io.cleat.model.TaskGroup;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.JobRow;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many allocations of one group are in which state.
 *
 * @param queued how many the newest evaluation could not place
 */
public record GroupTally(int queued, int starting, int running, int complete, int failed, int lost, int unknown) {
    public static final GroupTally NONE = new GroupTally(0, 0, 0, 0, 0, 0, 0);

    /** The tally of each group of a job, in the order in which the job has them. */
    public static Map<String, GroupTally> of(ClusterState state, JobRow job) {
        Map<String, Map<ClientStatus, Integer>> counts = new LinkedHashMap<>();
        for (TaskGroup group : job.spec().groups()) {
            counts.put(group.name(), new EnumMap<>(ClientStatus.class));
        }
        for (AllocationRow allocation : state.allocationsOfJob(job.id())) {
            boolean isOfThisJob = allocation.byVersion().jobModifyVersion() >= job.createVersion();
            Map<ClientStatus, Integer> group = counts.get(allocation.group());
            if (group != null && isOfThisJob) {
                group.merge(allocation.status(), 1, Integer::sum);
            }
        }
        Map<String, Integer> queued = queued(state, job);
        Map<String, GroupTally> tallies = new LinkedHashMap<>();
        counts.forEach((group, count) -> tallies.put(group, of(queued.getOrDefault(group, 0), count)));
        return tallies;
    }

    private static GroupTally of(int queued, Map<ClientStatus, Integer> count) {
        return new GroupTally(
                queued,
                count.getOrDefault(ClientStatus.PENDING, 0),
                count.getOrDefault(ClientStatus.RUNNING, 0),
                count.getOrDefault(ClientStatus.COMPLETE, 0),
                count.getOrDefault(ClientStatus.FAILED, 0),
                count.getOrDefault(ClientStatus.LOST, 0),
                count.getOrDefault(ClientStatus.UNKNOWN, 0));
    }

    private static Map<String, Integer> queued(ClusterState state, JobRow job) {
        if (!job.isWanted()) {
            return Map.of();
        }
        return state.evaluations().ofJob(job.id()).stream()
                .filter(evaluation -> !evaluation.outcome().queued().isEmpty())
                .max(Comparator.comparingLong(EvaluationRow::modifyVersion)
                        .thenComparingLong(EvaluationRow::createVersion))
                .map(row -> row.outcome().queued())
                .orElse(Map.of());
    }

    /** Those that run, start, or are still to be placed. */
    public int present() {
        return running + starting + queued;
    }
}
