package io.cleat.server.decide;

import io.cleat.base.Ordered;
import io.cleat.base.Refusal;
import io.cleat.base.TextRule;
import io.cleat.model.JobId;
import io.cleat.model.TaskGroup;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.JobRow;
import io.cleat.state.ScaleEvent;
import io.cleat.state.ScaleEventsId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Has a group of a running job have another number of allocations: a new version of the job, and nothing but the count
 * is another. Or something is only said of its scaling. Either is kept among the group's events.
 *
 * @param count checked by intake, with the job that {@code checkedVersion} stored; null to leave it as it is
 * @param said beside it
 * @param seed a fresh id: that of the evaluation
 */
public record ScaleJob(JobId job, String group, @Nullable Integer count, long checkedVersion, Said said, String seed)
        implements Command<RegisterJob.Reply> {
    /**
     * What whoever scales says; bounded by intake.
     *
     * @param error whether it tells of something that went wrong
     */
    public record Said(boolean error, String message, Map<String, Object> meta) {
        public static final Said NOTHING = new Said(false, "", Map.of());

        public Said {
            meta = Ordered.copyOf(meta);
        }
    }

    @Override
    public Decision<Change, RegisterJob.Reply> decide(ClusterState newest, DecideContext context) {
        Optional<JobRow> known = newest.job(job);
        if (known.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("job not found"));
        }
        Optional<TaskGroup> before = known.get().spec().group(group);
        if (before.isEmpty()) {
            return Work.refuse(new Refusal.Conflict(
                    "job " + TextRule.quoted(job.id()) + " has no group " + TextRule.quoted(group) + " any more"));
        }
        int previous = before.get().count();
        if (count == null) {
            Work work = new Work(newest, context);
            work.add(event(context, previous, ""));
            return work.accept(new RegisterJob.Reply("", 0, known.get().jobModifyVersion()));
        }
        Optional<Refusal> refusal = refusal(newest, known.get());
        return refusal.isPresent()
                ? Work.refuse(refusal.get())
                : noted(
                        new RegisterJob(known.get().spec().scaled(group, count), null, null, 0, seed)
                                .decide(newest, context),
                        context,
                        previous);
    }

    /** An older member keeps no events, and that is no reason not to scale. */
    private Decision<Change, RegisterJob.Reply> noted(
            Decision<Change, RegisterJob.Reply> scaled, DecideContext context, int previous) {
        if (!(scaled instanceof Decision.Accept<Change, RegisterJob.Reply> accept)
                || context.featureLevel() < Change.SCALING_LEVEL) {
            return scaled;
        }
        List<Change> changes = new ArrayList<>(accept.changes());
        changes.add(event(context, previous, accept.reply().evalId()));
        return new Decision.Accept<>(changes, accept.reply());
    }

    private Change event(DecideContext context, int previous, String evalId) {
        return new Change.ScaleEventAdded(
                new ScaleEventsId(job, group),
                new ScaleEvent(
                        context.decidedAt(), count, previous, said.error(), said.message(), said.meta(), evalId, 0));
    }

    private Optional<Refusal> refusal(ClusterState state, JobRow known) {
        String quoted = "job " + TextRule.quoted(job.id());
        if (known.stop()) {
            return Optional.of(new Refusal.Conflict(quoted + " is stopped: run it with the count you want"));
        }
        if (known.jobModifyVersion() != checkedVersion) {
            return Optional.of(new Refusal.Conflict(quoted + " was changed meanwhile: scale it again"));
        }
        return state.deployments().of(known).stream()
                .filter(deployment -> deployment.status().isActive())
                .findFirst()
                .map(deployment -> blocked(quoted, deployment));
    }

    private static Refusal blocked(String quoted, DeploymentRow deployment) {
        return new Refusal.Conflict("job scaling blocked due to active deployment: "
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
