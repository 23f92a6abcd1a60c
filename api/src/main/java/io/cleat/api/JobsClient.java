package io.cleat.api;

import io.cleat.base.LinkTrouble;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** Jobs over HTTP. */
public final class JobsClient {
    private static final TypeReference<List<JobStub>> STUBS = new TypeReference<>() {};
    private static final TypeReference<List<JobOverview>> OVERVIEWS = new TypeReference<>() {};
    private static final TypeReference<List<Evaluation>> EVALUATIONS = new TypeReference<>() {};

    private final CleatClient client;

    JobsClient(CleatClient client) {
        this.client = client;
    }

    public Answer<List<JobStub>> list(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/jobs", params, STUBS);
    }

    /** How jobs and their allocations are, in the order in which they were changed. */
    public Answer<List<JobOverview>> statuses(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/jobs/statuses", params, OVERVIEWS);
    }

    /** As {@link #statuses(Params)}, of some jobs in the order in which they are named. */
    public Answer<List<JobOverview>> statuses(JobStatusesRequest request, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put("/v1/jobs/statuses", params, request, OVERVIEWS);
    }

    public Answer<Job> get(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id), params, Job.class);
    }

    public Answer<JobSummary> summary(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id) + "/summary", params, JobSummary.class);
    }

    public Answer<JobVersionsResponse> versions(String id, boolean diffs, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id) + "/versions", params.with("diffs", diffs), JobVersionsResponse.class);
    }

    public Answer<List<AllocationStub>> allocations(String id, boolean all, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id) + "/allocations", params.with("all", all), AllocationsClient.STUBS);
    }

    /**
     * What a person wrote for a job; 404 if it is not kept.
     *
     * @param params with {@code version}; the newest without
     */
    public JobSubmission submission(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id) + "/submission", params, JobSubmission.class).body();
    }

    public Answer<List<Evaluation>> evaluations(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id) + "/evaluations", params, EVALUATIONS);
    }

    public Answer<List<Deployment>> deployments(String id, boolean all, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id) + "/deployments", params.with("all", all), DeploymentsClient.LIST);
    }

    /** The newest deployment; empty for a job that has none. */
    public Optional<Deployment> deployment(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return deployments(id, false, params).body().stream().findFirst();
    }

    /**
     * Brings an older version back.
     *
     * @param prior what the newest version must be; null for any
     */
    public Answer<JobRegisterResponse> revert(String id, long version, @Nullable Long prior, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put(
                path(id) + "/revert", params, new JobRevertRequest(prior, id, version), JobRegisterResponse.class);
    }

    /** Has a group of a job have another number of allocations. */
    public Answer<JobRegisterResponse> scale(String id, String group, long count, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put(
                path(id) + "/scale",
                params,
                new ScalingRequest(count, false, "", null, false, Map.of("Group", group)),
                JobRegisterResponse.class);
    }

    /**
     * Gives a version of a job a tag, or changes the description of the one that it has.
     *
     * @param version null for the newest
     */
    public Answer<JobTagResponse> tag(String id, String name, String description, @Nullable Long version, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put(tagPath(id, name), params, new JobTagRequest(description, version), JobTagResponse.class);
    }

    public Answer<JobTagResponse> untag(String id, String name, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.delete(tagPath(id, name), params, JobTagResponse.class);
    }

    private static String tagPath(String id, String name) {
        return path(id) + "/versions/" + Params.escape(name) + "/tag";
    }

    /**
     * Has a copy of a parameterized job run.
     *
     * @param payload what is sent along; empty for nothing
     */
    public Answer<JobDispatchResponse> dispatch(
            String id, byte[] payload, Map<String, String> meta, int priority, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put(
                path(id) + "/dispatch",
                params,
                new JobDispatchRequest(
                        "",
                        id,
                        meta,
                        payload.length == 0 ? null : Base64.getEncoder().encodeToString(payload),
                        priority),
                JobDispatchResponse.class);
    }

    /** Has a copy of a periodic job run now. */
    public Answer<PeriodicForceResponse> forcePeriodic(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.put(path(id) + "/periodic/force", params, null, PeriodicForceResponse.class);
    }

    public Answer<JobScaleStatus> scaleStatus(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id) + "/scale", params, JobScaleStatus.class);
    }

    public Answer<JobRegisterResponse> register(JobRegisterRequest request, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put("/v1/jobs", params, request, JobRegisterResponse.class);
    }

    public Answer<JobRegisterResponse> evaluate(String id, boolean forceReschedule, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put(
                path(id) + "/evaluate",
                params,
                new JobEvaluateRequest(id, new JobEvaluateRequest.Options(forceReschedule)),
                JobRegisterResponse.class);
    }

    public Answer<JobDeregisterResponse> deregister(String id, boolean purge, boolean noShutdownDelay, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.delete(
                path(id),
                params.with("purge", purge).with("no_shutdown_delay", noShutdownDelay),
                JobDeregisterResponse.class);
    }

    public Answer<JobPlanResponse> plan(JobPlanRequest request, Params params) throws UnexpectedAnswer, LinkTrouble {
        Job job = request.Job();
        String id = job == null ? "" : job.ID();
        return client.put(path(id) + "/plan", params, request, JobPlanResponse.class);
    }

    public JobValidateResponse validate(JobValidateRequest request, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put("/v1/validate/job", params, request, JobValidateResponse.class)
                .body();
    }

    /** The job of a job file, parsed by the server. */
    public Job parse(JobParseRequest request, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.put("/v1/jobs/parse", params, request, Job.class).body();
    }

    private static String path(String id) {
        return "/v1/job/" + Params.escape(id);
    }
}
