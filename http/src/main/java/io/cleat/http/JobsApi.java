package io.cleat.http;

import io.cleat.api.AllocationStub;
import io.cleat.api.Answer;
import io.cleat.api.Evaluation;
import io.cleat.api.Job;
import io.cleat.api.JobDeregisterResponse;
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
import io.cleat.api.JobVersionsResponse;
import io.cleat.api.PeriodicForceResponse;
import io.cleat.api.Rows;
import io.cleat.api.ScalingRequest;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Jobs. */
public interface JobsApi {
    /**
     * Jobs in the order of namespace and id; the token of one is {@code namespace.id}. The filter
     * looks at the {@link Job}.
     *
     * @param meta whether each stub has the job's meta
     */
    Answer<Rows<JobStub>> list(ListQuery query, boolean meta)
            throws Refused, Trouble, InterruptedException;

    /**
     * How jobs and their allocations are, in the order in which they were changed; the token of one
     * is {@link ListQuery#creationToken} of that change, and a number alone will do. The filter
     * looks at the {@link Job}.
     *
     * @param children also copies that other jobs had run
     */
    Answer<Rows<JobOverview>> statuses(ListQuery query, boolean children)
            throws Refused, Trouble, InterruptedException;

    /** As {@link #statuses}, of these jobs in this order; what is not there is left out. */
    Answer<Rows<JobOverview>> statusesOf(ReadQuery query, List<JobStatusesRequest.Name> jobs)
            throws Refused, Trouble, InterruptedException;

    Answer<Optional<Job>> get(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    Answer<Optional<JobSummary>> summary(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /**
     * The stored versions, newest first.
     *
     * @param diffs whether to say how each differs from the one before it
     * @param against the version that each other one is compared with instead
     * @param againstTag the tag of that version; empty for none
     * @throws Refused there is no such version to compare with
     */
    Answer<Optional<JobVersionsResponse>> versions(
            ReadQuery query, String id, boolean diffs, OptionalLong against, String againstTag)
            throws Refused, Trouble, InterruptedException;

    /**
     * What a person wrote for a job; empty if it is not kept.
     *
     * @param version of the job; the newest if absent
     */
    Answer<Optional<JobSubmission>> submission(ReadQuery query, String id, OptionalLong version)
            throws Refused, Trouble, InterruptedException;

    /**
     * A job's allocations, by id.
     *
     * @param all also those of an earlier job of the same id
     */
    Answer<Rows<AllocationStub>> allocations(ReadQuery query, String id, boolean all)
            throws Refused, Trouble, InterruptedException;

    Answer<Rows<Evaluation>> evaluations(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /** Stores a job and starts an evaluation. The request has a job with an id. */
    Answer<JobRegisterResponse> register(WriteQuery query, JobRegisterRequest request)
            throws Refused, Trouble, InterruptedException;

    /**
     * Evaluates a job though nothing has changed.
     *
     * @param forceReschedule failed allocations are placed anew now
     */
    Answer<JobRegisterResponse> evaluate(WriteQuery query, String id, boolean forceReschedule)
            throws Refused, Trouble, InterruptedException;

    /** How many allocations each group has, and is to have. */
    Answer<Optional<JobScaleStatus>> scaleStatus(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /** Has a group have another number of allocations, or keeps what is said of its scaling. */
    Answer<JobRegisterResponse> scale(WriteQuery query, String id, ScalingRequest request)
            throws Refused, Trouble, InterruptedException;

    /** Brings an older version back. The request is about this job. */
    Answer<JobRegisterResponse> revert(WriteQuery query, String id, JobRevertRequest request)
            throws Refused, Trouble, InterruptedException;

    /** Runs a copy of a periodic job now. */
    Answer<PeriodicForceResponse> forcePeriodic(WriteQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /** Runs a copy of a parameterized job. The request is about this job. */
    Answer<JobDispatchResponse> dispatch(WriteQuery query, String id, JobDispatchRequest request)
            throws Refused, Trouble, InterruptedException;

    /** Says whether a version is one to go back to. */
    Answer<JobStabilityResponse> stable(WriteQuery query, String id, JobStabilityRequest request)
            throws Refused, Trouble, InterruptedException;

    /** Gives a version a tag, or changes the description of the one that it has. */
    Answer<JobTagResponse> tag(WriteQuery query, String id, String name, JobTagRequest request)
            throws Refused, Trouble, InterruptedException;

    /** Takes a tag away. */
    Answer<JobTagResponse> untag(WriteQuery query, String id, String name)
            throws Refused, Trouble, InterruptedException;

    /**
     * Stops a job. An unknown one is answered with an empty evaluation id.
     *
     * @param purge also forgets it
     * @param force though others use volumes of the plugin it runs
     * @param noShutdownDelay tasks are stopped without their shutdown delay
     * @param evalPriority of the evaluation; 0 for the job's
     */
    Answer<JobDeregisterResponse> deregister(
            WriteQuery query,
            String id,
            boolean purge,
            boolean force,
            boolean noShutdownDelay,
            int evalPriority)
            throws Refused, Trouble, InterruptedException;

    /** What registering the job would do. The request has a job with this id. */
    Answer<JobPlanResponse> plan(WriteQuery query, String id, JobPlanRequest request)
            throws Refused, Trouble, InterruptedException;

    /** All faults of a job; a faulty job is an answer, not a refusal. The request has a job. */
    JobValidateResponse validate(WriteQuery query, JobValidateRequest request)
            throws Refused, Trouble, InterruptedException;

    /** The job of a job file; with nulls for what the file does not say, unless canonicalised. */
    Job parse(JobParseRequest request) throws Refused, Trouble, InterruptedException;
}
