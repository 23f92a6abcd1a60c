package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.base.TextRule;
import io.cleat.model.JobId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.JobRow;
import java.util.Optional;

/**
 * Has a group of a running job have another number of allocations: a new version of the job, and
 * nothing but the count is another.
 *
 * @param count checked by intake, with the text that {@code checkedVersion} stored
 * @param seed a fresh id: that of the evaluation
 */
public record ScaleJob(JobId job, String group, int count, long checkedVersion, String seed)
        implements Command<RegisterJob.Reply> {
    @Override
    public Decision<Change, RegisterJob.Reply> decide(ClusterState newest, DecideContext context) {
        Optional<JobRow> known = newest.job(job);
        if (known.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("job not found"));
        }
        Optional<Refusal> refusal = refusal(newest, known.get());
        return refusal.isPresent()
                ? Work.refuse(refusal.get())
                : new RegisterJob(known.get().spec().scaled(group, count), null, null, 0, seed)
                        .decide(newest, context);
    }

    private Optional<Refusal> refusal(ClusterState state, JobRow known) {
        String quoted = "job " + TextRule.quoted(job.id());
        if (known.stop()) {
            return Optional.of(
                    new Refusal.Conflict(quoted + " is stopped: run it with the count you want"));
        }
        if (known.jobModifyVersion() != checkedVersion) {
            return Optional.of(
                    new Refusal.Conflict(quoted + " was changed meanwhile: scale it again"));
        }
        return state.deploymentsOf(known).stream()
                .filter(deployment -> deployment.status().isActive())
                .findFirst()
                .map(deployment -> blocked(quoted, deployment));
    }

    private static Refusal blocked(String quoted, DeploymentRow deployment) {
        return new Refusal.Conflict(
                "job scaling blocked due to active deployment: "
                        + quoted
                        + " is being deployed ("
                        + deployment.id()
                        + "): wait until that is over, or end it with: cleat deployment fail");
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
