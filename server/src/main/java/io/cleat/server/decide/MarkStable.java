package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.JobId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.JobVersionRow;
import java.util.Optional;

/**
 * An operator says whether a version of a job is one to go back to.
 *
 * @param number the job's own number of the version
 */
public record MarkStable(JobId job, long number, boolean stable) implements Command<MarkStable.Reply> {
    /** Taken in. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<JobVersionRow> jobVersion = newest.job(job)
                .flatMap(known -> newest.versionsOf(known).stream()
                        .filter(row -> row.number() == number)
                        .reduce((a, b) -> b));
        if (jobVersion.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("job \"" + job.id() + "\" at version " + number + " not found"));
        }
        Work work = new Work(newest, context);
        if (jobVersion.get().stable() != stable) {
            work.add(new Change.JobMarkedStable(jobVersion.get().id(), stable));
        }
        return work.accept(new Reply());
    }
}
