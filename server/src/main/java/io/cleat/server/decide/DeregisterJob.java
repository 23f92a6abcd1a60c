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
 * Stops a job, or has it forgotten as well. A job that is not there is answered with an empty evaluation id.
 *
 * @param force though others use volumes of the plugin it runs
 * @param noShutdownDelay whether tasks stop without their shutdown delay
 * @param evalPriority of the evaluation; 0 for the job's
 * @param seed a fresh id: that of the evaluation
 */
public record DeregisterJob(
        JobId job, boolean purge, boolean force, boolean noShutdownDelay, int evalPriority, String seed)
        implements Command<DeregisterJob.Reply> {
    /** @param jobModifyVersion the cluster's version that stored the job's last one */
    public record Reply(String evalId, long evalVersion, long jobModifyVersion) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Optional<JobRow> known = newest.job(job);
        if (known.isEmpty()) {
            return work.accept(new Reply("", 0, 0));
        }
        Optional<Refusal> refusal =
                force ? Optional.empty() : PluginJobs.consumers(newest, known.get(), context.decidedAt());
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        if (noShutdownDelay && !Allocations.hurry(work, job, work.version())) {
            Remainders.leave(work, new Remainder.Hurry(job));
        }
        if (purge) {
            work.add(new Change.JobRemoved(job));
        } else if (!known.get().stop()) {
            work.add(new Change.JobStopped(job));
        }
        Deployments.cancel(work, job, "Cancelled because job is stopped");
        Evaluations.cancelWaiting(work, job, "the job was stopped");
        work.add(new Change.EvaluationPut(EvaluationRow.pending(
                seed,
                known.get(),
                evalPriority == 0 ? known.get().spec().priority() : evalPriority,
                Trigger.JOB_DEREGISTER,
                "",
                work.now())));
        return work.accept(new Reply(seed, work.version(), known.get().jobModifyVersion()));
    }
}
