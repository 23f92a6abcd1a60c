package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.base.TextRule;
import io.cleat.model.JobId;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.Trigger;
import java.util.Optional;

/**
 * Runs a copy of a periodic job now, whatever its times are.
 *
 * @param seed a fresh id: that of the evaluation
 */
public record ForceLaunch(JobId job, String seed) implements Command<RegisterJob.Reply> {
    @Override
    public Decision<Change, RegisterJob.Reply> decide(ClusterState newest, DecideContext context) {
        Optional<JobRow> known = newest.job(job);
        if (known.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("job not found"));
        }
        Work work = new Work(newest, context);
        JobSpec copy = ChildJobs.at(known.get().spec(), ChildJobs.idAt(job, work.now()));
        Optional<Refusal> refusal =
                refusal(newest, known.get(), copy).or(() -> NamespaceRules.unfit(newest, context, copy));
        return refusal.isPresent()
                ? Work.refuse(refusal.get())
                : work.accept(ChildJobs.run(work, copy, Trigger.PERIODIC_JOB, seed));
    }

    private Optional<Refusal> refusal(ClusterState newest, JobRow known, JobSpec copy) {
        if (!(known.spec().launch() instanceof JobLaunch.Periodic)) {
            return Optional.of(new Refusal.Invalid("can't force launch non-periodic job"));
        }
        if (known.stop()) {
            return Optional.of(new Refusal.Conflict("job " + TextRule.quoted(job.id()) + " is stopped"));
        }
        return newest.job(copy.id()).isPresent()
                ? Optional.of(new Refusal.Conflict(
                        "a copy of job " + TextRule.quoted(job.id()) + " was run in this very second: try again"))
                : Optional.empty();
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
