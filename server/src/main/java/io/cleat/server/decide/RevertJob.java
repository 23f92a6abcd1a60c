package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.JobId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.JobRow;
import io.cleat.state.JobVersionRow;
import io.cleat.state.Trigger;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores an older version of a job again, as its newest, and has it evaluated.
 *
 * @param number the job's own number of the version
 * @param enforced the number that the newest version must have; null for any
 * @param seed a fresh id: that of the evaluation
 */
public record RevertJob(JobId job, long number, @Nullable Long enforced, String seed)
        implements Command<RegisterJob.Reply> {
    @Override
    public Decision<Change, RegisterJob.Reply> decide(ClusterState newest, DecideContext context) {
        Optional<JobRow> known = newest.job(job);
        if (known.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("job not found"));
        }
        List<JobVersionRow> jobVersions = newest.versionsOf(known.get());
        Optional<JobVersionRow> jobVersion =
                jobVersions.stream().filter(row -> row.number() == number).reduce((a, b) -> b);
        Optional<Refusal> refusal = ConfigureScheduling.rejected(newest)
                .or(() -> refusal(known.get(), jobVersions, jobVersion))
                .or(() -> ChildJobs.changed(known, jobVersion.orElseThrow().spec()))
                .or(() ->
                        PluginJobs.moved(newest, known, jobVersion.orElseThrow().spec(), context.decidedAt()));
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        Work work = new Work(newest, context);
        Deployments.cancel(work, job, "Cancelled due to newer version of job");
        Deployments.restore(work, known.get(), jobVersion.orElseThrow());
        JobRow now = work.state().job(job).orElseThrow();
        if (now.spec().launchesChildren()) {
            return work.accept(new RegisterJob.Reply("", 0, now.jobModifyVersion()));
        }
        work.add(new Change.EvaluationPut(
                EvaluationRow.pending(seed, now, now.spec().priority(), Trigger.JOB_REGISTER, "", work.now())));
        return work.accept(new RegisterJob.Reply(seed, work.version(), now.jobModifyVersion()));
    }

    private Optional<Refusal> refusal(
            JobRow known, List<JobVersionRow> jobVersions, Optional<JobVersionRow> jobVersion) {
        if (enforced != null && known.number() != enforced) {
            return Optional.of(new Refusal.Conflict(
                    "Current job has version " + known.number() + "; enforcing version " + enforced));
        }
        if (jobVersion.isEmpty()) {
            return Optional.of(new Refusal.Conflict("job \""
                    + job.id()
                    + "\" in namespace \""
                    + job.namespace()
                    + "\" at version "
                    + number
                    + " not found; it has "
                    + jobVersions.stream().map(JobVersionRow::number).toList()));
        }
        return number == known.number() && !known.stop()
                ? Optional.of(new Refusal.Conflict("can't revert to current version"))
                : Optional.empty();
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
