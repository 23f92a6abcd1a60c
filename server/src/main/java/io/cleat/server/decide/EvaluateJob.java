package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.JobId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.JobRow;
import io.cleat.state.Remainder;
import io.cleat.state.Trigger;
import java.util.Optional;

/**
 * Has a job evaluated though nothing has changed.
 *
 * @param forceReschedule whether failed allocations that wait for their turn, or have used up their attempts, are
 *     rescheduled now
 * @param seed a fresh id: that of the evaluation
 */
public record EvaluateJob(JobId job, boolean forceReschedule, String seed) implements Command<EvaluateJob.Reply> {
    /**
     * @param evalId of the evaluation
     * @param jobModifyVersion the cluster's version that stored the job
     */
    public record Reply(String evalId, long jobModifyVersion) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<JobRow> found = newest.job(job);
        if (found.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("job not found"));
        }
        JobRow row = found.get();
        Optional<Refusal> refusal = ChildJobs.notEvaluated(row);
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        Work work = new Work(newest, context);
        if (forceReschedule && !Allocations.stopFailed(work, job, work.version())) {
            Remainders.leave(work, new Remainder.Reschedule(job));
        }
        // One of its own, though one may be due: the caller follows it by its id.
        work.add(new Change.EvaluationPut(
                EvaluationRow.pending(seed, row, row.spec().priority(), Trigger.JOB_REGISTER, "", work.now())));
        return work.accept(new Reply(seed, row.jobModifyVersion()));
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
