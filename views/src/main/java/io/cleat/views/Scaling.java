package io.cleat.views;

import io.cleat.api.JobScaleStatus;
import io.cleat.api.ScalingRequest;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.http.QueryParams;
import io.cleat.model.ClientStatus;
import io.cleat.model.JobId;
import io.cleat.model.TaskGroup;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How many allocations the groups of a job have, and what somebody wants instead. */
final class Scaling {
    private Scaling() {}

    static JobScaleStatus status(ClusterState state, JobRow job) {
        Map<String, List<AllocationRow>> placed =
                state.allocationsOfJob(job.id()).stream()
                        .filter(allocation -> !allocation.isTerminal())
                        .collect(Collectors.groupingBy(AllocationRow::group));
        Map<String, JobScaleStatus.Group> groups = new TreeMap<>();
        for (TaskGroup group : job.spec().groups()) {
            List<AllocationRow> there = placed.getOrDefault(group.name(), List.of());
            groups.put(
                    group.name(),
                    new JobScaleStatus.Group(
                            group.count(),
                            null,
                            there.stream().filter(AllocationRow::isHealthy).count(),
                            there.size(),
                            there.stream()
                                    .filter(row -> row.status() == ClientStatus.RUNNING)
                                    .count(),
                            there.stream().filter(AllocationRow::isUnhealthy).count()));
        }
        return new JobScaleStatus(
                job.createVersion(),
                job.id().id(),
                job.jobModifyVersion(),
                job.stop(),
                job.id().namespace(),
                groups);
    }

    /**
     * A count that a group may have.
     *
     * @param jobModifyVersion the version that stored the job with which it was checked
     */
    record Checked(String group, int count, long jobModifyVersion) {}

    /**
     * Checks the job as it would be: a count may be more than its volumes allow.
     *
     * @throws Refused with all that is wrong
     */
    static Checked checked(ClusterState state, JobId id, ScalingRequest request) throws Refused {
        JobRow job =
                state.job(id).orElseThrow(() -> new Refused(new Refusal.NotFound("job not found")));
        String group =
                Objects.requireNonNullElse(request.Target(), Map.<String, String>of())
                        .getOrDefault("Group", "");
        if (group.isEmpty()) {
            throw QueryParams.malformed(
                    "missing task group name for scaling action: name it as Target.Group");
        }
        if (request.Count() == null || request.Error()) {
            throw QueryParams.malformed(
                    "a scaling action needs a Count, and no Error: what is only said of a group is"
                            + " not kept here");
        }
        if (job.spec().group(group).isEmpty()) {
            throw QueryParams.malformed(
                    "task group "
                            + TextRule.quoted(group)
                            + " does not exist in job "
                            + TextRule.quoted(id.id())
                            + ", which has "
                            + job.spec().groups().stream()
                                    .map(each -> TextRule.quoted(each.name()))
                                    .collect(Collectors.joining(", ")));
        }
        if (job.spec().type().isOnEachNode()) {
            throw new Refused(
                    new Refusal.Invalid(
                            "a system job is not scaled: it has one allocation on each node that"
                                    + " fits"));
        }
        long count = request.Count();
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw new Refused(
                    new Refusal.Invalid(
                            "scaling action count can't be " + count + ": it is 0 or more"));
        }
        JobText.requireValid(
                JobView.job(state, job.withSpec(job.spec().scaled(group, (int) count))));
        return new Checked(group, (int) count, job.jobModifyVersion());
    }
}
