package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.JobSource;
import io.cleat.model.JobSpec;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.JobRow;
import io.cleat.state.Trigger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores a version of a job, which intake has checked, and has it evaluated, unless it has copies of itself run.
 *
 * @param source what a person wrote for it; null if that is not known
 * @param enforcedVersion the cluster's version that must have stored the job there is: 0 for a job that must not be
 *     there yet; null for any
 * @param evalPriority of the evaluation; 0 for the job's
 * @param preserved what it has of the stored job instead
 * @param seed a fresh id: that of the evaluation
 */
public record RegisterJob(
        JobSpec spec,
        @Nullable JobSource source,
        @Nullable Long enforcedVersion,
        int evalPriority,
        PreservedParts preserved,
        String seed)
        implements Command<RegisterJob.Reply> {
    /** Preserving nothing. */
    public RegisterJob(
            JobSpec spec, @Nullable JobSource source, @Nullable Long enforcedVersion, int evalPriority, String seed) {
        this(spec, source, enforcedVersion, evalPriority, PreservedParts.NONE, seed);
    }

    /**
     * @param evalId empty for none
     * @param jobModifyVersion the cluster's version that stored it
     */
    public record Reply(String evalId, long evalVersion, long jobModifyVersion) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<JobRow> known = newest.job(spec.id());
        if (preserved.isAny() && known.isPresent()) {
            JobSpec kept = preserved.of(spec, known.get().spec());
            return new RegisterJob(kept, source, enforcedVersion, evalPriority, seed).decide(newest, context);
        }
        Optional<Refusal> refusal = ConfigureScheduling.rejected(newest)
                .or(() -> enforced(known))
                .or(() -> ChildJobs.changed(known, spec))
                .or(() -> NamespaceRules.unfit(newest, context, spec))
                .or(() -> KeptVolumes.tooEarly(context, spec))
                .or(() -> PluginJobs.moved(newest, known, spec, context.decidedAt()));
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        Work work = new Work(newest, context);
        boolean same =
                known.isPresent() && !known.get().stop() && known.get().spec().equals(spec);
        if (!same) {
            Deployments.cancel(work, spec.id(), "Cancelled due to newer version of job");
            long number = known.map(row -> row.number() + 1).orElse(0L);
            work.add(new Change.JobPut(new JobRow(spec, number, false, work.now(), 0, 0, 0), source));
        }
        JobRow job = work.state().job(spec.id()).orElseThrow();
        Evaluations.cancelWaiting(work, job.id(), "made obsolete by evaluation " + seed + " of the job's new text");
        if (spec.launchesChildren()) {
            return work.accept(new Reply("", 0, job.jobModifyVersion()));
        }
        work.add(new Change.EvaluationPut(EvaluationRow.pending(
                seed, job, evalPriority == 0 ? spec.priority() : evalPriority, Trigger.JOB_REGISTER, "", work.now())));
        return work.accept(new Reply(seed, work.version(), job.jobModifyVersion()));
    }

    private Optional<Refusal> enforced(Optional<JobRow> known) {
        if (enforcedVersion == null) {
            return Optional.empty();
        }
        long wanted = enforcedVersion;
        String prefix = "Enforcing job modify index " + wanted + ": ";
        if (known.isEmpty()) {
            return wanted == 0 ? Optional.empty() : Optional.of(new Refusal.Conflict(prefix + "job does not exist"));
        }
        long stored = known.get().jobModifyVersion();
        if (stored == wanted) {
            return Optional.empty();
        }
        return Optional.of(new Refusal.Conflict(prefix
                + (wanted == 0 ? "job already exists" : "job exists with conflicting job modify index: " + stored)));
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
