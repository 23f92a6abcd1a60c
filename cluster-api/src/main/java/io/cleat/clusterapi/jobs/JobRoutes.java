package io.cleat.clusterapi.jobs;

import io.cleat.api.Job;
import io.cleat.api.JobDispatchRequest;
import io.cleat.api.JobEvaluateRequest;
import io.cleat.api.JobParseRequest;
import io.cleat.api.JobPlanRequest;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.JobRevertRequest;
import io.cleat.api.JobStabilityRequest;
import io.cleat.api.JobStatusesRequest;
import io.cleat.api.JobTagRequest;
import io.cleat.api.JobValidateRequest;
import io.cleat.api.ParsedJob;
import io.cleat.api.ScalingRequest;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.Bodies;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Jobs. */
public final class JobRoutes {
    private static final String MISSING = "job not found";

    private final JobAnswers jobs;
    private final JobVersions versions;
    private final JobWrites writes;
    private final JobDrafts drafts;

    private JobRoutes(JobAnswers jobs, JobVersions versions, JobWrites writes, JobDrafts drafts) {
        this.jobs = jobs;
        this.versions = versions;
        this.writes = writes;
        this.drafts = drafts;
    }

    public static List<Route> of(JobAnswers jobs, JobVersions versions, JobWrites writes, JobDrafts drafts) {
        JobRoutes routes = new JobRoutes(jobs, versions, writes, drafts);
        return List.of(
                Route.get("/v1/jobs", routes::list),
                Route.put("/v1/jobs", routes::register),
                Route.put("/v1/jobs/parse", routes::parse),
                Route.get("/v1/jobs/statuses", routes::statuses),
                Route.put("/v1/jobs/statuses", routes::statusesOf),
                Route.put("/v1/validate/job", routes::validate),
                Route.get("/v1/job/:id", routes::get),
                Route.put("/v1/job/:id", routes::registerNamed),
                Route.delete("/v1/job/:id", routes::deregister),
                Route.put("/v1/job/:id/plan", routes::plan),
                Route.put("/v1/job/:id/evaluate", routes::evaluate),
                Route.put("/v1/job/:id/revert", routes::revert),
                Route.put("/v1/job/:id/periodic/force", routes::forcePeriodic),
                Route.put("/v1/job/:id/dispatch", routes::dispatch),
                Route.put("/v1/job/:id/stable", routes::stable),
                Route.get("/v1/job/:id/scale", routes::scaleStatus),
                Route.put("/v1/job/:id/scale", routes::scale),
                Route.get("/v1/job/:id/summary", routes::summary),
                Route.get("/v1/job/:id/versions", routes::versions),
                Route.put("/v1/job/:id/versions/:tag/tag", routes::tag),
                Route.delete("/v1/job/:id/versions/:tag/tag", routes::untag),
                Route.get("/v1/job/:id/submission", routes::submission),
                Route.get("/v1/node/pool/:name/jobs", routes::inPool));
    }

    private Reply list(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(jobs.list(QueryParams.list(request), QueryParams.flag(request, "meta")));
    }

    private Reply statuses(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(jobs.statuses(QueryParams.list(request), QueryParams.flag(request, "include_children")));
    }

    private Reply statusesOf(Request request) throws Refused, Trouble, InterruptedException {
        JobStatusesRequest body = Bodies.readOr(request, JobStatusesRequest.class, new JobStatusesRequest(false, null));
        List<JobStatusesRequest.Name> named = body.Jobs();
        return Replies.query(
                named == null || named.isEmpty()
                        ? jobs.statuses(
                                QueryParams.list(request),
                                QueryParams.flag(request, "include_children", body.IncludeChildren()))
                        : jobs.statusesOf(QueryParams.read(request), named));
    }

    private Reply get(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(jobs.get(QueryParams.read(request), request.variable("id")), MISSING);
    }

    private Reply summary(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(jobs.summary(QueryParams.read(request), request.variable("id")), MISSING);
    }

    private Reply versions(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(
                versions.versions(
                        QueryParams.read(request),
                        request.variable("id"),
                        QueryParams.flag(request, "diffs"),
                        version(request, "diff_version"),
                        request.text("diff_tag")),
                "job versions not found");
    }

    private static OptionalLong version(Request request, String name) throws Refused {
        return request.text(name).isEmpty() ? OptionalLong.empty() : OptionalLong.of(QueryParams.count(request, name));
    }

    private Reply submission(Request request) throws Refused, Trouble, InterruptedException {
        OptionalLong version = version(request, "version");
        return Replies.found(
                versions.submission(QueryParams.read(request), request.variable("id"), version),
                "job source not found");
    }

    private Reply register(Request request) throws Refused, Trouble, InterruptedException {
        JobRegisterRequest body = Bodies.read(request, JobRegisterRequest.class);
        requireId(body.Job());
        return Replies.written(writes.register(QueryParams.write(request), body));
    }

    private Reply registerNamed(Request request) throws Refused, Trouble, InterruptedException {
        JobRegisterRequest body = Bodies.read(request, JobRegisterRequest.class);
        requireId(body.Job(), request.variable("id"), "Job ID does not match name");
        return Replies.written(writes.register(QueryParams.write(request), body));
    }

    private Reply deregister(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.written(writes.deregister(
                QueryParams.write(request),
                request.variable("id"),
                QueryParams.flag(request, "purge"),
                QueryParams.flag(request, "force"),
                QueryParams.flag(request, "no_shutdown_delay"),
                QueryParams.count(request, "eval_priority")));
    }

    private Reply evaluate(Request request) throws Refused, Trouble, InterruptedException {
        JobEvaluateRequest body = Bodies.readOr(request, JobEvaluateRequest.class, new JobEvaluateRequest("", null));
        String id = request.variable("id");
        requireSame(body.JobID(), id);
        JobEvaluateRequest.Options options = body.EvalOptions();
        return Replies.written(
                writes.evaluate(QueryParams.write(request), id, options != null && options.ForceReschedule()));
    }

    private Reply revert(Request request) throws Refused, Trouble, InterruptedException {
        JobRevertRequest body = Bodies.read(request, JobRevertRequest.class);
        String id = request.variable("id");
        requireSame(body.JobID(), id);
        return Replies.written(writes.revert(QueryParams.write(request), id, body));
    }

    private Reply forcePeriodic(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.written(writes.forcePeriodic(QueryParams.write(request), request.variable("id")));
    }

    private Reply dispatch(Request request) throws Refused, Trouble, InterruptedException {
        JobDispatchRequest body = Bodies.read(request, JobDispatchRequest.class);
        String id = request.variable("id");
        requireSame(body.JobID(), id);
        return Replies.written(writes.dispatch(QueryParams.write(request), id, body));
    }

    private Reply scaleStatus(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(jobs.scaleStatus(QueryParams.read(request), request.variable("id")), MISSING);
    }

    private Reply scale(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.written(writes.scale(
                QueryParams.write(request), request.variable("id"), Bodies.read(request, ScalingRequest.class)));
    }

    private Reply stable(Request request) throws Refused, Trouble, InterruptedException {
        JobStabilityRequest body = Bodies.read(request, JobStabilityRequest.class);
        String id = request.variable("id");
        requireSame(body.JobID(), id);
        return Replies.written(versions.stable(QueryParams.write(request), id, body));
    }

    private Reply tag(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.written(versions.tag(
                QueryParams.write(request),
                request.variable("id"),
                request.variable("tag"),
                Bodies.read(request, JobTagRequest.class)));
    }

    private Reply untag(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.written(
                versions.untag(QueryParams.write(request), request.variable("id"), request.variable("tag")));
    }

    private static void requireSame(String inBody, String id) throws Refused {
        if (!inBody.isEmpty() && !inBody.equals(id)) {
            throw QueryParams.malformed("Job ID does not match");
        }
    }

    private Reply plan(Request request) throws Refused, Trouble, InterruptedException {
        JobPlanRequest body = Bodies.read(request, JobPlanRequest.class);
        String id = request.variable("id");
        requireId(body.Job(), id, "Job ID does not match");
        return Replies.written(drafts.plan(QueryParams.write(request), id, body));
    }

    private Reply validate(Request request) throws Refused, Trouble, InterruptedException {
        JobValidateRequest body = Bodies.read(request, JobValidateRequest.class);
        if (body.Job() == null) {
            throw QueryParams.malformed("Job must be specified");
        }
        return Reply.json(drafts.validate(QueryParams.write(request), body));
    }

    private Reply parse(Request request) throws Refused, Trouble, InterruptedException {
        JobParseRequest body = Bodies.read(request, JobParseRequest.class);
        if (body.JobHCL().isEmpty()) {
            throw QueryParams.malformed("Job spec is empty");
        }
        return Reply.json(ParsedJob.json(drafts.parse(body)));
    }

    private static String requireId(@Nullable Job job) throws Refused {
        if (job == null) {
            throw QueryParams.malformed("Job must be specified");
        }
        if (job.ID().isEmpty()) {
            throw QueryParams.malformed("Job ID hasn't been provided");
        }
        return job.ID();
    }

    private static void requireId(@Nullable Job job, String id, String otherwise) throws Refused {
        if (!requireId(job).equals(id)) {
            throw QueryParams.malformed(otherwise);
        }
    }

    private Reply inPool(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(jobs.inPool(QueryParams.list(request), request.variable("name")));
    }
}
