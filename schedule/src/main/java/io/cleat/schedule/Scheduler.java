package io.cleat.schedule;

import io.cleat.base.Ids;
import io.cleat.model.JobSpec;
import io.cleat.model.TaskGroup;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.JobRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Makes the plan of an evaluation: what of the job is there, what is wanted, and what to do about the difference.
 *
 * <p>Goals, in this order: what is not wanted any more is stopped; what is gone or failed is replaced as its policy
 * says; what runs an older version is brought to the newest, in place where only the group around the tasks has
 * changed, else a few at a time as the group's update policy says; then the count is filled up, lowest index first.
 */
public final class Scheduler {
    private final ClusterState state;
    private final Ids ids;
    private final Instant now;

    /** @param now the time of the decision that will follow */
    public Scheduler(ClusterState state, Ids ids, Instant now) {
        this.state = state;
        this.ids = ids;
        this.now = now;
    }

    /** The whole plan, however much it changes: for those who ask before. */
    public Plan plan(EvaluationRow evaluation) {
        return part(evaluation, Integer.MAX_VALUE);
    }

    /**
     * What of the plan is to be done first. Once it is, the next part is planned from what is there then, until a plan
     * is whole: nothing is remembered between the two but the rows.
     *
     * @param most how many rows it may change, about; at least 1
     */
    public Plan part(EvaluationRow evaluation, int most) {
        Optional<JobRow> job = state.job(evaluation.job());
        List<AllocationRow> all = state.allocationsOfJob(evaluation.job());
        PlanDraft draft = new PlanDraft(state, evaluation, job.map(JobRow::spec), now, most);
        Map<String, List<AllocationRow>> byGroup =
                all.stream().collect(Collectors.groupingBy(AllocationRow::group, TreeMap::new, Collectors.toList()));
        boolean wanted = job.isPresent() && job.get().isWanted();
        if (wanted) {
            Rollout rollout = new Rollout(state, job.get(), ids);
            draft.rollout(rollout);
            for (TaskGroup group : job.get().spec().groups()) {
                List<AllocationRow> there = byGroup.getOrDefault(group.name(), List.of());
                byGroup.remove(group.name());
                reconcile(evaluation, job.get(), group, there, draft, rollout);
            }
        }
        String why = wanted ? "alloc not needed due to job update" : "alloc not needed as job is stopped";
        byGroup.forEach((group, there) -> stopAll(there, why, draft));
        return draft.plan();
    }

    private void reconcile(
            EvaluationRow evaluation,
            JobRow job,
            TaskGroup group,
            List<AllocationRow> there,
            PlanDraft draft,
            Rollout rollout) {
        JobSpec spec = job.spec();
        Placer placer = new Placer(state, spec, draft.proposed());
        if (spec.type().isOnEachNode()) {
            new SystemGroup(state, evaluation, job, group, placer, draft, rollout, ids, now).reconcile(there);
        } else {
            new CountedGroup(state, job, group, placer, draft, rollout, ids, now).reconcile(there);
        }
    }

    private void stopAll(List<AllocationRow> there, String why, PlanDraft draft) {
        for (AllocationRow allocation : there) {
            if (!allocation.isTerminal()) {
                draft.stop(allocation, why, Reach.isLost(state, allocation));
            }
        }
    }
}
