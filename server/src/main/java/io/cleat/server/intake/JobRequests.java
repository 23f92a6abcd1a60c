package io.cleat.server.intake;

import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refused;
import io.cleat.codec.RecordCodec;
import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.model.JobSpec;
import io.cleat.schedule.Plan;
import io.cleat.schedule.Scheduler;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.server.decide.DeregisterJob;
import io.cleat.server.decide.DispatchJob;
import io.cleat.server.decide.EvaluateJob;
import io.cleat.server.decide.ForceLaunch;
import io.cleat.server.decide.MarkStable;
import io.cleat.server.decide.PreservedParts;
import io.cleat.server.decide.RegisterJob;
import io.cleat.server.decide.RevertJob;
import io.cleat.server.decide.ScaleJob;
import io.cleat.server.decide.StopAllocation;
import io.cleat.server.decide.TagJobVersion;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.JobRow;
import io.cleat.state.Trigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Requests about jobs and their allocations. Any thread. */
public final class JobRequests {
    static final RecordCodec<JobSpec> TEXT = RecordCodec.stored("askj", 9, JobSpec.class);
    static final RecordCodec<RegisterJob.Reply> REGISTERED = RecordCodec.stored("rjob", 1, RegisterJob.Reply.class);
    static final RecordCodec<DeregisterJob.Reply> DEREGISTERED =
            RecordCodec.stored("djob", 1, DeregisterJob.Reply.class);
    static final RecordCodec<StopAllocation.Reply> STOPPED = RecordCodec.stored("sall", 1, StopAllocation.Reply.class);
    static final RecordCodec<EvaluateJob.Reply> EVALUATED = RecordCodec.stored("evjb", 1, EvaluateJob.Reply.class);

    static final RecordCodec<DispatchJob.Reply> DISPATCHED = RecordCodec.stored("disp", 1, DispatchJob.Reply.class);

    private final Commits commits;
    private final Ids ids;

    JobRequests(Commits commits, Ids ids) {
        this.commits = commits;
        this.ids = ids;
    }

    /**
     * Stores a job and has it evaluated.
     *
     * @param spec valid, every default filled in
     * @param source what a person wrote for it; null if that is not known
     * @param enforcedVersion the cluster's version that must have stored the job; 0 for a job that must not be there;
     *     null for any
     * @param evalPriority of the evaluation; 0 for the job's
     * @param preserved what the job has of the stored one instead
     */
    public Done<RegisterJob.Reply> register(
            JobSpec spec,
            @Nullable JobSource source,
            @Nullable Long enforcedVersion,
            int evalPriority,
            PreservedParts preserved,
            Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(
                new RegisterJob(spec, source, enforcedVersion, evalPriority, preserved, commits.seed()),
                () -> {
                    List<Object> parts =
                            new ArrayList<>(List.of(TEXT.encode(spec), String.valueOf(enforcedVersion), evalPriority));
                    if (!preserved.equals(PreservedParts.NONE)) {
                        parts.add(preserved);
                    }
                    return parts;
                },
                REGISTERED,
                asked);
    }

    /** As {@link #register(JobSpec, JobSource, Long, int, PreservedParts, Asked)}, of its text. */
    public Done<RegisterJob.Reply> register(
            JobSpec spec, @Nullable JobSource source, @Nullable Long enforcedVersion, int evalPriority, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return register(spec, source, enforcedVersion, evalPriority, PreservedParts.NONE, asked);
    }

    /**
     * Stops a job; an unknown one is answered with an empty evaluation id.
     *
     * @param purge whether to forget it too
     * @param force though others use volumes of the plugin it runs
     * @param noShutdownDelay whether tasks stop without their shutdown delay
     * @param evalPriority of the evaluation; 0 for the job's
     */
    public Done<DeregisterJob.Reply> deregister(
            JobId job, boolean purge, boolean force, boolean noShutdownDelay, int evalPriority, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(
                new DeregisterJob(job, purge, force, noShutdownDelay, evalPriority, commits.seed()),
                () -> List.of(job, purge, force, noShutdownDelay, evalPriority),
                DEREGISTERED,
                asked);
    }

    /** Stops an allocation and has its job evaluated, which places another. */
    public Done<StopAllocation.Reply> stopAllocation(String allocId, boolean noShutdownDelay, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(
                new StopAllocation(allocId, noShutdownDelay, commits.seed()),
                () -> List.of(allocId, noShutdownDelay),
                STOPPED,
                asked);
    }

    /** Has a job evaluated though nothing has changed. */
    public Done<EvaluateJob.Reply> evaluate(JobId job, boolean forceReschedule, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(
                new EvaluateJob(job, forceReschedule, commits.seed()),
                () -> List.of(job, forceReschedule),
                EVALUATED,
                asked);
    }

    /**
     * Stores an older version of a job again, as its newest, and has it evaluated.
     *
     * @param number the job's own number of the version
     * @param enforced the number that the newest version must have; null for any
     */
    public Done<RegisterJob.Reply> revert(JobId job, long number, @Nullable Long enforced, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(
                new RevertJob(job, number, enforced, commits.seed()),
                () -> List.of(job, number, String.valueOf(enforced)),
                REGISTERED,
                asked);
    }

    /**
     * Has a group of a job have another number of allocations, or keeps what is said of that.
     *
     * @param count null to leave it as it is
     * @param checkedVersion the cluster's version that stored the job with which the count was checked
     */
    public Done<RegisterJob.Reply> scale(
            JobId job, String group, @Nullable Integer count, long checkedVersion, ScaleJob.Said said, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(
                new ScaleJob(job, group, count, checkedVersion, said, commits.seed()),
                () -> count == null ? List.of(job, group, said.error(), said.message()) : List.of(job, group, count),
                REGISTERED,
                asked);
    }

    /** Runs a copy of a periodic job now. */
    public Done<RegisterJob.Reply> forceLaunch(JobId job, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(new ForceLaunch(job, commits.seed()), () -> List.of(job), REGISTERED, asked);
    }

    /**
     * Runs a copy of a parameterized job.
     *
     * @param payload what is sent along, in base64; empty for nothing
     * @param priority of the copy; 0 for the job's
     */
    public Done<DispatchJob.Reply> dispatch(
            JobId job, String payload, Map<String, String> meta, int priority, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(
                new DispatchJob(job, payload, meta, priority, commits.seed()),
                () -> List.of(job, payload, new TreeMap<>(meta), priority),
                DISPATCHED,
                asked);
    }

    /** Says whether a version of a job is one to go back to. */
    public Done<MarkStable.Reply> markStable(JobId job, long number, boolean stable, Deadline deadline)
            throws Refused, LogTrouble, InterruptedException {
        return commits.commit(new MarkStable(job, number, stable), deadline);
    }

    /** Gives a version of a job a tag, or takes it away. */
    public Done<TagJobVersion.Reply> tag(TagJobVersion command, Deadline deadline)
            throws Refused, LogTrouble, InterruptedException {
        return commits.commit(command, deadline);
    }

    /**
     * What registering a job would do.
     *
     * @param before the image as it is
     * @param after the image as it would be, before anything is placed
     * @param evaluation that would be made
     */
    public record Planned(ClusterState before, ClusterState after, EvaluationRow evaluation, Plan plan) {}

    /** Registers a job and runs its evaluation on paper; nothing is changed. */
    public Planned plan(JobSpec spec, @Nullable Long enforcedVersion, int evalPriority) throws Refused {
        ClusterState before = commits.newest();
        String evalId = ids.next();
        Instant wall = commits.now();
        Instant now = wall.isAfter(before.decidedAt()) ? wall : before.decidedAt();
        long version = before.version() + 1;
        Decision<Change, RegisterJob.Reply> decision = new RegisterJob(
                        spec, null, enforcedVersion, evalPriority, evalId)
                .decide(before, new DecideContext(version, now, Optional.empty(), commits.featureLevel()));
        return switch (decision) {
            case Decision.Reject<Change, RegisterJob.Reply> reject -> throw new Refused(reject.refusal());
            case Decision.Accept<Change, RegisterJob.Reply> accept -> {
                ClusterState after = before.apply(accept.changes(), version, now);
                ClusterState tried = spec.launchesChildren() ? withOne(after, spec, evalId, version, now) : after;
                EvaluationRow evaluation = tried.evaluations().get(evalId).orElseThrow();
                yield new Planned(before, after, evaluation, new Scheduler(tried, ids, now).plan(evaluation));
            }
        };
    }

    /** As if it ran by itself: whether there is room for a copy now. */
    private static ClusterState withOne(ClusterState state, JobSpec spec, String evalId, long version, Instant now) {
        JobRow copy = new JobRow(
                spec.withLaunch(null), state.job(spec.id()).map(JobRow::number).orElse(0L), false, now, 0, 0, 0);
        return state.apply(
                List.of(
                        new Change.JobPut(copy),
                        new Change.EvaluationPut(
                                EvaluationRow.pending(evalId, copy, spec.priority(), Trigger.JOB_REGISTER, "", now))),
                version,
                now);
    }
}
