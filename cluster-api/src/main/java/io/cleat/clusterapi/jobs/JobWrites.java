package io.cleat.clusterapi.jobs;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.JobDeregisterResponse;
import io.cleat.api.JobDispatchRequest;
import io.cleat.api.JobDispatchResponse;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.JobRegisterResponse;
import io.cleat.api.JobRevertRequest;
import io.cleat.api.PeriodicForceResponse;
import io.cleat.api.ScalingRequest;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.WriteQuery;
import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.model.JobSpec;
import io.cleat.server.decide.DeregisterJob;
import io.cleat.server.decide.DispatchJob;
import io.cleat.server.decide.EvaluateJob;
import io.cleat.server.decide.PreservedParts;
import io.cleat.server.decide.RegisterJob;
import io.cleat.server.intake.Done;
import io.cleat.server.intake.Requests;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Jobs are registered, evaluated, scaled, launched and stopped, by the server's intake. */
public final class JobWrites {
    private final Readings readings;
    private final Requests requests;

    public JobWrites(Readings readings, Requests requests) {
        this.readings = readings;
        this.requests = requests;
    }

    /** Stores a job and starts an evaluation. The request has a job with an id. */
    public Answer<JobRegisterResponse> register(WriteQuery query, JobRegisterRequest request)
            throws Refused, Trouble, InterruptedException {
        JobSpec spec = JobText.checked(JobText.given(request.Job()), query.namespace());
        Optional<JobSource> source = SourceView.source(request.Submission());
        boolean isKept = source.isPresent() && source.get().bytes() <= JobSource.MOST_BYTES;
        Done<RegisterJob.Reply> done = requests.jobs()
                .register(
                        spec,
                        isKept ? source.get() : null,
                        request.EnforceIndex() ? (Long) request.JobModifyIndex() : null,
                        request.EvalPriority(),
                        new PreservedParts(request.PreserveCounts(), request.PreserveResources()),
                        requests.asked(query.requestId()));
        List<String> warnings = new ArrayList<>();
        if (source.isPresent() && !isKept) {
            warnings.add(SourceView.tooLarge(source.get()));
        }
        // What is known here will do: a warning is not worth a round of the log.
        warnings.addAll(JobWarnings.of(readings.images().read(true), spec));
        return registered(done, String.join("\n", warnings));
    }

    /**
     * Evaluates a job though nothing has changed.
     *
     * @param forceReschedule failed allocations are rescheduled now
     */
    public Answer<JobRegisterResponse> evaluate(WriteQuery query, String id, boolean forceReschedule)
            throws Refused, Trouble, InterruptedException {
        Done<EvaluateJob.Reply> done = requests.jobs()
                .evaluate(new JobId(query.namespace(), id), forceReschedule, requests.asked(query.requestId()));
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
        return registered(requests.jobs()
                .revert(
                        new JobId(query.namespace(), id),
                        request.JobVersion(),
                        request.EnforcePriorVersion(),
                        requests.asked(query.requestId())));
    }

    /** Has a group have another number of allocations, or keeps what is said of its scaling. */
    public Answer<JobRegisterResponse> scale(WriteQuery query, String id, ScalingRequest request)
            throws Refused, Trouble, InterruptedException {
        JobId job = new JobId(query.namespace(), id);
        Scaling.Checked wanted = Scaling.checked(readings.images().read(false), job, request);
        return registered(requests.jobs()
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
                requests.jobs().forceLaunch(new JobId(query.namespace(), id), requests.asked(query.requestId()));
        return new Answer<>(
                new PeriodicForceResponse(
                        done.reply().evalVersion(), done.reply().evalId(), done.version(), false, 0, ""),
                AnswerMeta.ofLeader(done.version()));
    }

    /** Runs a copy of a parameterized job. The request is about this job. */
    public Answer<JobDispatchResponse> dispatch(WriteQuery query, String id, JobDispatchRequest request)
            throws Refused, Trouble, InterruptedException {
        Done<DispatchJob.Reply> done = requests.jobs()
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

    /**
     * Stops a job. An unknown one is answered with an empty evaluation id.
     *
     * @param purge also forgets it
     * @param force though others use volumes of the plugin it runs
     * @param noShutdownDelay tasks are stopped without their shutdown delay
     * @param evalPriority of the evaluation; 0 for the job's
     */
    public Answer<JobDeregisterResponse> deregister(
            WriteQuery query, String id, boolean purge, boolean force, boolean noShutdownDelay, int evalPriority)
            throws Refused, Trouble, InterruptedException {
        Done<DeregisterJob.Reply> done = requests.jobs()
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

    private static Answer<JobRegisterResponse> registered(Done<RegisterJob.Reply> done) {
        return registered(done, "");
    }

    private static Answer<JobRegisterResponse> registered(Done<RegisterJob.Reply> done, String warnings) {
        RegisterJob.Reply reply = done.reply();
        return registered(reply.evalId(), reply.evalVersion(), done.version(), reply.jobModifyVersion(), warnings);
    }

    private static Answer<JobRegisterResponse> registered(
            String evalId, long evalVersion, long version, long jobModifyVersion, String warnings) {
        return new Answer<>(
                new JobRegisterResponse(evalVersion, evalId, version, jobModifyVersion, false, 0, "", warnings),
                AnswerMeta.ofLeader(version));
    }
}
