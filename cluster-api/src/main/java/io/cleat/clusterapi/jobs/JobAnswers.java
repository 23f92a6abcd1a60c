package io.cleat.clusterapi.jobs;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.Canonical;
import io.cleat.api.Faults;
import io.cleat.api.Job;
import io.cleat.api.JobDeregisterResponse;
import io.cleat.api.JobDiff;
import io.cleat.api.JobDispatchRequest;
import io.cleat.api.JobDispatchResponse;
import io.cleat.api.JobOverview;
import io.cleat.api.JobParseRequest;
import io.cleat.api.JobPlanRequest;
import io.cleat.api.JobPlanResponse;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.JobRegisterResponse;
import io.cleat.api.JobRevertRequest;
import io.cleat.api.JobScaleStatus;
import io.cleat.api.JobStabilityRequest;
import io.cleat.api.JobStabilityResponse;
import io.cleat.api.JobStatusesRequest;
import io.cleat.api.JobStub;
import io.cleat.api.JobSubmission;
import io.cleat.api.JobSummary;
import io.cleat.api.JobTagRequest;
import io.cleat.api.JobTagResponse;
import io.cleat.api.JobValidateRequest;
import io.cleat.api.JobValidateResponse;
import io.cleat.api.JobValidation;
import io.cleat.api.JobVersionsResponse;
import io.cleat.api.PeriodicForceResponse;
import io.cleat.api.Rows;
import io.cleat.api.ScalingRequest;
import io.cleat.base.Ids;
import io.cleat.base.Meter;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.ListOfViews;
import io.cleat.clusterapi.query.Ranges;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Versions;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.model.JobSpec;
import io.cleat.server.decide.DeregisterJob;
import io.cleat.server.decide.DispatchJob;
import io.cleat.server.decide.EvaluateJob;
import io.cleat.server.decide.PreservedParts;
import io.cleat.server.decide.RegisterJob;
import io.cleat.server.decide.TagJobVersion;
import io.cleat.server.intake.Done;
import io.cleat.server.intake.Requests;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.JobVersionRow;
import io.cleat.state.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs over the server. A job's status and summary follow from its allocations and evaluations, so
 * that reads of them wait on those tables too.
 */
public final class JobAnswers {
    private static final Versions VERSION =
            Versions.of(TableName.JOBS, TableName.ALLOCATIONS, TableName.EVALUATIONS);
    private static final Versions SCALE_VERSION =
            Versions.of(TableName.JOBS, TableName.ALLOCATIONS, TableName.SCALE_EVENTS);
    private static final Versions TEXTS_VERSION =
            Versions.of(TableName.JOBS, TableName.JOB_VERSIONS);

    private final Reading.Desk desk;
    private final Requests requests;
    private final Ids ids;
    private final JobParsing parsing;

    public JobAnswers(Reading.Desk desk, Requests requests, Time time, Ids ids) {
        this.desk = desk;
        this.requests = requests;
        this.ids = ids;
        this.parsing = new JobParsing(time, ids);
    }

    /**
     * Jobs in the order of namespace and id; the token of one is {@code namespace.id}. The filter
     * looks at the {@link Job}.
     *
     * @param meta whether each stub has the job's meta
     */
    public Answer<Rows<JobStub>> list(ListQuery query, boolean meta)
            throws Refused, Trouble, InterruptedException {
        return list(query, meta, row -> true);
    }

    /** The jobs that name a node pool, by namespace and id. */
    public Answer<Rows<JobStub>> inPool(ListQuery query, String pool)
            throws Refused, Trouble, InterruptedException {
        return list(query, false, row -> row.spec().nodePool().equals(pool));
    }

    private Answer<Rows<JobStub>> list(ListQuery query, boolean meta, Predicate<JobRow> isWanted)
            throws Refused, Trouble, InterruptedException {
        Reading reading = desk.read(query.read(), VERSION);
        ClusterState state = reading.state();
        Supplier<Stream<JobRow>> rows =
                Ranges.named(
                        query,
                        table(state),
                        row -> new Ranges.Name(row.id().namespace(), row.id().id()));
        return query.page(
                () -> rows.get().filter(isWanted),
                row -> new Ranges.Name(row.id().namespace(), row.id().id()).token(),
                row -> JobView.job(state, row),
                row -> JobView.stub(state, row, meta),
                reading.meta());
    }

    /** Jobs in the order of their names, and backwards. */
    static Ranges.Ordered<Ranges.Name, JobRow> table(ClusterState state) {
        return Ranges.ordered(
                from -> state.jobsFrom(new JobId(from.namespace(), from.id())),
                before -> state.scans().jobsBefore(new JobId(before.namespace(), before.id())));
    }

    /**
     * How jobs and their allocations are, in the order in which they were changed; the token of one
     * is {@link ListQuery#creationToken} of that change, and a number alone will do. The filter
     * looks at the {@link Job}.
     *
     * @param children also copies that other jobs had run
     */
    public Answer<Rows<JobOverview>> statuses(ListQuery query, boolean children)
            throws Refused, Trouble, InterruptedException {
        return JobOverviews.page(desk.read(query.read(), JobOverviews.VERSION), query, children);
    }

    /** As {@link #statuses}, of these jobs in this order; what is not there is left out. */
    public Answer<Rows<JobOverview>> statusesOf(ReadQuery query, List<JobStatusesRequest.Name> jobs)
            throws Refused, Trouble, InterruptedException {
        return JobOverviews.named(desk.read(query, JobOverviews.VERSION), query, jobs);
    }

    public Answer<Optional<Job>> get(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Reading reading = desk.read(query, VERSION);
        return new Answer<>(
                reading.state()
                        .job(new JobId(query.namespace(), id))
                        .map(row -> JobView.job(reading.state(), row)),
                reading.meta());
    }

    public Answer<Optional<JobSummary>> summary(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Reading reading = desk.read(query, VERSION);
        return new Answer<>(
                reading.state()
                        .job(new JobId(query.namespace(), id))
                        .map(row -> JobView.summary(reading.state(), row)),
                reading.meta());
    }

    /**
     * The stored versions, newest first.
     *
     * @param diffs whether to say how each differs from the one before it
     * @param against the version that each other one is compared with instead
     * @param againstTag the tag of that version; empty for none
     * @throws Refused there is no such version to compare with
     */
    public Answer<Optional<JobVersionsResponse>> versions(
            ReadQuery query, String id, boolean diffs, OptionalLong against, String againstTag)
            throws Refused, Trouble, InterruptedException {
        Reading reading = desk.read(query, TEXTS_VERSION);
        ClusterState state = reading.state();
        AnswerMeta meta = reading.meta();
        Optional<JobRow> job = state.job(new JobId(query.namespace(), id));
        if (job.isEmpty()) {
            return new Answer<>(Optional.empty(), meta);
        }
        List<Job> versions = versions(state, job.get());
        OptionalLong compared = VersionTags.against(id, versions, against, againstTag);
        return new Answer<>(
                Optional.of(
                        new JobVersionsResponse(
                                diffs ? diffs(id, versions, compared) : null,
                                meta.index(),
                                meta.knownLeader(),
                                meta.lastContactMillis(),
                                "",
                                versions)),
                meta);
    }

    private static List<Job> versions(ClusterState state, JobRow job) {
        return new ListOfViews<>(state.textsOf(job).reversed(), row -> JobView.version(state, row));
    }

    /**
     * What a person wrote for a job; empty if it is not kept.
     *
     * @param version of the job; the newest if absent
     */
    public Answer<Optional<JobSubmission>> submission(
            ReadQuery query, String id, OptionalLong version)
            throws Refused, Trouble, InterruptedException {
        Reading reading = desk.read(query, TEXTS_VERSION);
        ClusterState state = reading.state();
        return new Answer<>(
                state.job(new JobId(query.namespace(), id))
                        .flatMap(job -> text(state, job, version))
                        .flatMap(SourceView::of),
                reading.meta());
    }

    private static Optional<JobVersionRow> text(
            ClusterState state, JobRow job, OptionalLong version) {
        return state.textsOf(job).stream()
                .filter(row -> row.number() == version.orElse(job.number()))
                .findFirst();
    }

    private static Job version(String id, List<Job> versions, long wanted) throws Refused {
        for (Job job : versions) {
            if (Objects.equals(job.Version(), wanted)) {
                return job;
            }
        }
        throw new Refused(
                new Refusal.Invalid(
                        "job "
                                + TextRule.quoted(id)
                                + " has no version "
                                + wanted
                                + " to compare with; it has "
                                + versions.stream().map(Job::Version).toList()));
    }

    private static List<JobDiff> diffs(String id, List<Job> newestFirst, OptionalLong against)
            throws Refused {
        Meter meter = new Meter(Diffs.LIMITS);
        List<JobDiff> diffs = new ArrayList<>();
        if (against.isPresent()) {
            Job old = version(id, newestFirst, against.getAsLong());
            for (Job job : newestFirst) {
                if (!Objects.equals(job.Version(), old.Version())) {
                    diffs.add(JobDiffs.between(old, job, meter));
                }
            }
            return diffs;
        }
        for (int i = 0; i + 1 < newestFirst.size(); i++) {
            diffs.add(JobDiffs.between(newestFirst.get(i + 1), newestFirst.get(i), meter));
        }
        return diffs;
    }

    /** Stores a job and starts an evaluation. The request has a job with an id. */
    public Answer<JobRegisterResponse> register(WriteQuery query, JobRegisterRequest request)
            throws Refused, Trouble, InterruptedException {
        JobSpec spec = JobText.checked(job(request.Job()), query.namespace());
        Optional<JobSource> source = SourceView.source(request.Submission());
        boolean isKept = source.isPresent() && source.get().bytes() <= JobSource.MOST_BYTES;
        Done<RegisterJob.Reply> done =
                requests.jobs()
                        .register(
                                spec,
                                isKept ? source.get() : null,
                                request.EnforceIndex() ? (Long) request.JobModifyIndex() : null,
                                request.EvalPriority(),
                                new PreservedParts(
                                        request.PreserveCounts(), request.PreserveResources()),
                                requests.asked(query.requestId()));
        List<String> warnings = new ArrayList<>();
        if (source.isPresent() && !isKept) {
            warnings.add(SourceView.tooLarge(source.get()));
        }
        warnings.addAll(JobWarnings.of(desk.images().read(false), spec));
        return registered(done, String.join("\n", warnings));
    }

    /**
     * Evaluates a job though nothing has changed.
     *
     * @param forceReschedule failed allocations are placed anew now
     */
    public Answer<JobRegisterResponse> evaluate(
            WriteQuery query, String id, boolean forceReschedule)
            throws Refused, Trouble, InterruptedException {
        Done<EvaluateJob.Reply> done =
                requests.jobs()
                        .evaluate(
                                new JobId(query.namespace(), id),
                                forceReschedule,
                                requests.asked(query.requestId()));
        return registered(
                done.reply().evalId(),
                done.version(),
                done.version(),
                done.reply().jobModifyVersion(),
                "");
    }

    /** Brings an older version back. The request is about this job. */
    public Answer<JobRegisterResponse> revert(WriteQuery query, String id, JobRevertRequest request)
            throws Refused, Trouble, InterruptedException {
        return registered(
                requests.jobs()
                        .revert(
                                new JobId(query.namespace(), id),
                                request.JobVersion(),
                                request.EnforcePriorVersion(),
                                requests.asked(query.requestId())));
    }

    /** How many allocations each group has, and is to have. */
    public Answer<Optional<JobScaleStatus>> scaleStatus(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Reading reading = desk.read(query, SCALE_VERSION);
        return new Answer<>(
                reading.state()
                        .job(new JobId(query.namespace(), id))
                        .map(row -> Scaling.status(reading.state(), row)),
                reading.meta());
    }

    /** Has a group have another number of allocations, or keeps what is said of its scaling. */
    public Answer<JobRegisterResponse> scale(WriteQuery query, String id, ScalingRequest request)
            throws Refused, Trouble, InterruptedException {
        JobId job = new JobId(query.namespace(), id);
        Scaling.Checked wanted = Scaling.checked(desk.images().read(false), job, request);
        return registered(
                requests.jobs()
                        .scale(
                                job,
                                wanted.group(),
                                wanted.count(),
                                wanted.jobModifyVersion(),
                                wanted.said(),
                                requests.asked(query.requestId())));
    }

    /** Runs a copy of a periodic job now. */
    public Answer<PeriodicForceResponse> forcePeriodic(WriteQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Done<RegisterJob.Reply> done =
                requests.jobs()
                        .forceLaunch(
                                new JobId(query.namespace(), id),
                                requests.asked(query.requestId()));
        return new Answer<>(
                new PeriodicForceResponse(
                        done.reply().evalVersion(),
                        done.reply().evalId(),
                        done.version(),
                        false,
                        0,
                        ""),
                AnswerMeta.ofLeader(done.version()));
    }

    /** Runs a copy of a parameterized job. The request is about this job. */
    public Answer<JobDispatchResponse> dispatch(
            WriteQuery query, String id, JobDispatchRequest request)
            throws Refused, Trouble, InterruptedException {
        Done<DispatchJob.Reply> done =
                requests.jobs()
                        .dispatch(
                                new JobId(query.namespace(), id),
                                Dispatching.payload(request),
                                Dispatching.meta(request),
                                request.Priority(),
                                requests.asked(query.requestId()));
        return new Answer<>(
                new JobDispatchResponse(
                        done.reply().copyId(),
                        done.version(),
                        done.reply().evalId(),
                        done.version(),
                        done.version(),
                        false,
                        0,
                        ""),
                AnswerMeta.ofLeader(done.version()));
    }

    /** Says whether a version is one to go back to. */
    public Answer<JobStabilityResponse> stable(
            WriteQuery query, String id, JobStabilityRequest request)
            throws Refused, Trouble, InterruptedException {
        long version =
                requests.jobs()
                        .markStable(
                                new JobId(query.namespace(), id),
                                request.JobVersion(),
                                request.Stable(),
                                requests.deadline())
                        .version();
        return new Answer<>(
                new JobStabilityResponse(version, version), AnswerMeta.ofLeader(version));
    }

    /** Gives a version a tag, or changes the description of the one that it has. */
    public Answer<JobTagResponse> tag(
            WriteQuery query, String id, String name, JobTagRequest request)
            throws Refused, Trouble, InterruptedException {
        VersionTags.requireFit(name, request.Description());
        return VersionTags.answer(
                requests.jobs()
                        .tag(
                                new TagJobVersion(
                                        new JobId(query.namespace(), id),
                                        name,
                                        new TagJobVersion.Given(
                                                request.Version(), request.Description())),
                                requests.deadline()));
    }

    /** Takes a tag away. */
    public Answer<JobTagResponse> untag(WriteQuery query, String id, String name)
            throws Refused, Trouble, InterruptedException {
        return VersionTags.answer(
                requests.jobs()
                        .tag(
                                new TagJobVersion(new JobId(query.namespace(), id), name, null),
                                requests.deadline()));
    }

    private static Answer<JobRegisterResponse> registered(Done<RegisterJob.Reply> done) {
        return registered(done, "");
    }

    private static Answer<JobRegisterResponse> registered(
            Done<RegisterJob.Reply> done, String warnings) {
        RegisterJob.Reply reply = done.reply();
        return registered(
                reply.evalId(),
                reply.evalVersion(),
                done.version(),
                reply.jobModifyVersion(),
                warnings);
    }

    private static Answer<JobRegisterResponse> registered(
            String evalId, long evalVersion, long version, long jobModifyVersion, String warnings) {
        return new Answer<>(
                new JobRegisterResponse(
                        evalVersion, evalId, version, jobModifyVersion, false, 0, "", warnings),
                AnswerMeta.ofLeader(version));
    }

    /**
     * Stops a job. An unknown one is answered with an empty evaluation id.
     *
     * @param purge also forgets it
     * @param force though others use volumes of the plugin it runs
     * @param noShutdownDelay tasks are stopped without their shutdown delay
     * @param evalPriority of the evaluation; 0 for the job's
     */
    public Answer<JobDeregisterResponse> deregister(
            WriteQuery query,
            String id,
            boolean purge,
            boolean force,
            boolean noShutdownDelay,
            int evalPriority)
            throws Refused, Trouble, InterruptedException {
        Done<DeregisterJob.Reply> done =
                requests.jobs()
                        .deregister(
                                new JobId(query.namespace(), id),
                                purge,
                                force,
                                noShutdownDelay,
                                evalPriority,
                                requests.asked(query.requestId()));
        return new Answer<>(
                new JobDeregisterResponse(
                        done.reply().evalVersion(),
                        done.reply().evalId(),
                        done.version(),
                        done.reply().jobModifyVersion(),
                        false,
                        0,
                        "",
                        "",
                        0),
                AnswerMeta.ofLeader(done.version()));
    }

    /** What registering the job would do. The request has a job with this id. */
    public Answer<JobPlanResponse> plan(WriteQuery query, String id, JobPlanRequest request)
            throws Refused, Trouble, InterruptedException {
        Job job = job(request.Job());
        try (JobParsing.Place _ = parsing.place()) {
            JobSpec spec = JobText.checked(job, query.namespace());
            JobPlanResponse plan =
                    new RehearsalView(requests.jobs().plan(spec, null, 0))
                            .answer(request.Diff(), ids.next());
            return new Answer<>(plan, AnswerMeta.ofLeader(plan.Index()));
        }
    }

    /** All faults of a job; a faulty job is an answer, not a refusal. The request has a job. */
    public JobValidateResponse validate(WriteQuery query, JobValidateRequest request)
            throws Refused, Trouble, InterruptedException {
        Job job = job(request.Job());
        List<String> faults;
        try (JobParsing.Place _ = parsing.place()) {
            faults =
                    JobValidation.faults(
                            Canonical.stored(JobText.inNamespace(job, query.namespace())));
        }
        if (!faults.isEmpty()) {
            return new JobValidateResponse(true, Faults.render(faults), faults, "");
        }
        List<String> warnings =
                JobWarnings.of(desk.images().read(false), JobText.checked(job, query.namespace()));
        return new JobValidateResponse(true, "", null, String.join("\n", warnings));
    }

    /** The job of a job file; with nulls for what the file does not say, unless canonicalised. */
    public Job parse(JobParseRequest request) throws Refused {
        return parsing.parse(request);
    }

    private static Job job(@Nullable Job given) throws Refused {
        if (given == null) {
            throw new Refused(new Refusal.Malformed("Job must be specified"));
        }
        return given;
    }
}
