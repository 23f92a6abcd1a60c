package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.JobId;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.Trigger;
import java.time.Instant;
import java.util.Optional;

/**
 * A time of a periodic job has come: a copy is run, once for all times that have passed since the last. It passes where
 * the copy may not overlap an earlier one, or cannot be run.
 *
 * @param due the first of its times after {@code since}
 * @param since when the job's times were known to count from ({@link JobRow#timesCountFrom})
 * @param seed a fresh id: that of the evaluation
 */
public record LaunchJob(JobId job, Instant due, Instant since, String seed) implements Command<LaunchJob.Reply> {
    /**
     * @param copyId of the copy; empty if none was run
     * @param why none was, where somebody should know; else empty
     */
    public record Reply(String copyId, String why) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Optional<JobRow> known = newest.job(job)
                .filter(row -> row.times().isPresent())
                .filter(row -> row.timesCountFrom().equals(since));
        if (known.isEmpty()) {
            return work.accept(new Reply("", ""));
        }
        work.add(new Change.JobLaunched(job, work.now()));
        JobSpec copy = ChildJobs.at(known.get().spec(), ChildJobs.idAt(job, due));
        if (newest.job(copy.id()).isPresent()) {
            return work.accept(new Reply("", ""));
        }
        boolean isAlone =
                known.get().times().filter(JobLaunch.Periodic::prohibitOverlap).isPresent();
        if (isAlone && ChildJobs.isAnyAlive(newest, job)) {
            return work.accept(new Reply("", "an earlier one still runs, and may not be overlapped"));
        }
        Optional<Refusal> unfit = NamespaceRules.unfit(newest, context, copy);
        if (unfit.isPresent()) {
            return work.accept(new Reply("", unfit.get().message()));
        }
        ChildJobs.run(work, copy, Trigger.PERIODIC_JOB, seed);
        return work.accept(new Reply(copy.id().id(), ""));
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
