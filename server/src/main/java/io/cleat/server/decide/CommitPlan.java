package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.DesiredStatus;
import io.cleat.schedule.Plan;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.JobRow;
import io.cleat.state.TableName;
import io.cleat.state.Trigger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes a plan of the scheduler true, if it still fits: each placement is looked at again on the newest image, and one
 * that does not fit any more refuses the whole plan, whose evaluation then stays pending and is planned again.
 *
 * @param seed a fresh id: ids of evaluations that follow are derived from it
 */
public record CommitPlan(Plan plan, String seed) implements Command<CommitPlan.Reply> {
    /** @param blockedEval the evaluation that waits for what found no place; empty if all did */
    public record Reply(String blockedEval) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        return decide(newest, context, false);
    }

    /** @param isCut whether more was planned together: what has no room without the rest is left to the next part */
    private Decision<Change, Reply> decide(ClusterState newest, DecideContext context, boolean isCut) {
        Optional<EvaluationRow> found = newest.evaluations().get(plan.evalId());
        if (found.isEmpty() || found.get().status() != EvaluationStatus.PENDING) {
            return Work.refuse(new Refusal.Conflict("evaluation "
                    + plan.evalId()
                    + " is not pending"
                    + found.map(row -> " but " + row.status().wire()).orElse("")
                    + ": its plan is dropped"));
        }
        EvaluationRow evaluation = found.get();
        if (evaluation.modifyVersion() > plan.snapshotVersion()) {
            return stale("something has happened to the job since it was planned");
        }
        Optional<JobRow> job = newest.job(evaluation.job());
        if (job.isPresent() && job.get().modifyVersion() > plan.snapshotVersion()) {
            return stale("the job has changed since it was planned");
        }
        if (job.isEmpty() && !(plan.placements().isEmpty() && plan.failed().isEmpty())) {
            return stale("the job is gone");
        }
        if (hasDeploymentMoved(newest, job)) {
            return stale("the job's deployment has changed since it was planned");
        }
        Work work = new Work(newest, context);
        Decision<Change, Reply> decision = carryOut(work, job, evaluation, isCut);
        if (work.hasRoom() || plan.steps() <= 1) {
            return decision;
        }
        // Its rows are larger than most: less of it at once, down to what belongs together.
        Plan less = plan.first(plan.steps() / 2);
        return less.steps() == plan.steps() ? decision : new CommitPlan(less, seed).decide(newest, context, true);
    }

    private Decision<Change, Reply> carryOut(Work work, Optional<JobRow> job, EvaluationRow evaluation, boolean isCut) {
        job.ifPresent(row -> Deployments.make(work, plan, row));
        stop(work);
        update(work, job);
        Placements placements = new Placements(work, job, evaluation, plan);
        for (Plan.Placement placement : plan.placements()) {
            if (isCut && !placements.hasRoom(placement)) {
                continue;
            }
            Optional<String> problem = placements.place(placement);
            if (problem.isPresent()) {
                return stale("allocation "
                        + placement.name()
                        + " does not fit node "
                        + placement.nodeId()
                        + " any more: "
                        + problem.get());
            }
        }
        return work.accept(new Reply(finish(work, evaluation)));
    }

    private boolean hasDeploymentMoved(ClusterState newest, Optional<JobRow> job) {
        boolean isMade = !plan.deploymentGroups().isEmpty()
                && job.flatMap(row -> newest.deployments().ofVersion(row.current()))
                        .filter(row -> !row.id().equals(plan.deploymentId()))
                        .isPresent();
        return isMade
                || Optional.ofNullable(plan.deploymentId())
                        .flatMap(newest.deployments()::get)
                        .map(row -> row.modifyVersion() > plan.snapshotVersion())
                        .orElse(false);
    }

    private static Decision<Change, Reply> stale(String why) {
        return Work.refuse(new Refusal.Conflict(why + "; the evaluation is planned again"));
    }

    private void stop(Work work) {
        for (Plan.Stop stop : plan.stops()) {
            work.state()
                    .allocation(stop.allocId())
                    .filter(row -> row.desired() != DesiredStatus.STOP || stop.lost())
                    .ifPresent(row -> Allocations.stop(work, row, stop.description(), stop.lost()));
        }
        if (plan.stops().stream().anyMatch(Plan.Stop::lost)) {
            Wakes.forRoom(work);
        }
    }

    private void update(Work work, Optional<JobRow> job) {
        for (Plan.Update update : plan.updates()) {
            Optional<AllocationRow> row = work.state().allocation(update.allocId());
            if (job.isPresent() && row.isPresent() && !row.get().isTerminal()) {
                work.add(new Change.AllocationPut(row.get()
                        .jobVersion(job.get().number(), job.get().jobModifyVersion())
                        .deployment(update.deployment())
                        .evalId(plan.evalId())));
            }
        }
    }

    /** Settles the evaluation, and makes those that follow from it. */
    private String finish(Work work, EvaluationRow evaluation) {
        NewIds ids = new NewIds(seed);
        EvaluationRow run = evaluation.outcome(new EvaluationRow.Outcome(
                plan.failed(),
                plan.queued(),
                work.reads(Change.PLANNED_LEVEL) ? plan.counts() : Map.of(),
                plan.deploymentId(),
                plan.snapshotVersion()));
        roll(work, evaluation, ids);
        EvaluationRow settled = followedUp(work, run, ids);
        if (plan.isPart()) {
            // It stays due, and the next part is planned from what is there then.
            work.add(new Change.EvaluationPut(settled));
            return "";
        }
        if (plan.isComplete()) {
            Evaluations.cancelBlocked(
                    work, evaluation.job(), evaluation.id(), "evaluation " + evaluation.id() + " placed all");
            work.add(new Change.EvaluationPut(settled.status(EvaluationStatus.COMPLETE, plan.note(), work.now())));
            return "";
        }
        Evaluations.cancelBlocked(
                work, evaluation.job(), evaluation.id(), "evaluation " + evaluation.id() + " waits in its place");
        // What got free since the plan was made is not looked for among its reasons: the next look
        // is then due at once, and no wake-up is lost.
        boolean mayHaveMissed = hasMoved(work);
        if (evaluation.asked().triggeredBy() == Trigger.QUEUED_ALLOCS) {
            work.add(new Change.EvaluationPut(mayHaveMissed ? settled : blocked(work, settled)));
            return evaluation.id();
        }
        String id = ids.next();
        EvaluationRow next = EvaluationRow.pending(
                        id,
                        work.state().job(evaluation.job()).orElseThrow(),
                        evaluation.asked().priority(),
                        Trigger.QUEUED_ALLOCS,
                        "",
                        work.now())
                .previousEval(evaluation.id())
                .failedGroups(plan.failed())
                .queued(plan.queued());
        work.add(new Change.EvaluationPut(mayHaveMissed ? next : blocked(work, next)));
        work.add(new Change.EvaluationPut(settled.blockedEval(id).status(EvaluationStatus.COMPLETE, "", work.now())));
        return id;
    }

    private EvaluationRow blocked(Work work, EvaluationRow row) {
        return row.blockedOn(plan.blockedOn(), plan.blockedOnAny(), plan.blockedBy())
                .status(EvaluationStatus.BLOCKED, "created to place remaining allocations", work.now());
    }

    private boolean hasMoved(Work work) {
        return Stream.of(
                        TableName.CLAIMS,
                        TableName.VOLUMES,
                        TableName.NODES,
                        TableName.ALLOCATIONS,
                        TableName.OPERATIONS,
                        TableName.HOST_VOLUMES,
                        TableName.STICKY_CLAIMS)
                .anyMatch(table -> work.before().version(table) > plan.snapshotVersion());
    }

    /** One evaluation, later, for the next of a system job's allocations. */
    private void roll(Work work, EvaluationRow evaluation, NewIds ids) {
        Optional<JobRow> job = work.state().job(evaluation.job());
        if (plan.rollAt() == null || job.isEmpty()) {
            return;
        }
        work.add(new Change.EvaluationPut(EvaluationRow.pending(
                        ids.next(), job.get(), evaluation.asked().priority(), Trigger.ROLLING_UPDATE, "", work.now())
                .waitUntil(plan.rollAt())
                .previousEval(evaluation.id())));
    }

    /** One evaluation, later, for all failed allocations that are to be rescheduled; this one then names it. */
    private EvaluationRow followedUp(Work work, EvaluationRow evaluation, NewIds ids) {
        Plan.FollowUp followUp = plan.followUp();
        if (followUp == null) {
            return evaluation;
        }
        List<AllocationRow> waiting = new ArrayList<>();
        for (String allocId : followUp.allocations()) {
            work.state()
                    .allocation(allocId)
                    .filter(row -> !willBeSeenTo(work, row.lineage().followupEval()))
                    .ifPresent(waiting::add);
        }
        Optional<JobRow> job = work.state().job(evaluation.job());
        if (waiting.isEmpty() || job.isEmpty()) {
            return evaluation;
        }
        String id = ids.next();
        work.add(new Change.EvaluationPut(EvaluationRow.pending(
                        id, job.get(), evaluation.asked().priority(), Trigger.ALLOC_FAILURE, "", work.now())
                .waitUntil(followUp.at())
                .previousEval(evaluation.id())));
        for (AllocationRow row : waiting) {
            work.add(new Change.AllocationPut(row.followupEval(id)));
        }
        return evaluation.nextEval(id);
    }

    /** Whether another evaluation than this one is to come. */
    private boolean willBeSeenTo(Work work, String evalId) {
        return !evalId.equals(plan.evalId())
                && work.state()
                        .evaluations()
                        .get(evalId)
                        .map(row -> row.status() == EvaluationStatus.PENDING)
                        .orElse(false);
    }
}
