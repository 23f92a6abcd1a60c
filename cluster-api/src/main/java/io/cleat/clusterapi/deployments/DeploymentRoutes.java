package io.cleat.clusterapi.deployments;

import io.cleat.api.Answer;
import io.cleat.api.Deployment;
import io.cleat.api.DeploymentAllocHealthRequest;
import io.cleat.api.DeploymentPauseRequest;
import io.cleat.api.DeploymentPromoteRequest;
import io.cleat.api.Rows;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.Bodies;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;

/** Deployments. */
public final class DeploymentRoutes {
    private final DeploymentAnswers deployments;

    private DeploymentRoutes(DeploymentAnswers deployments) {
        this.deployments = deployments;
    }

    public static List<Route> of(DeploymentAnswers deployments) {
        DeploymentRoutes routes = new DeploymentRoutes(deployments);
        return List.of(
                Route.get("/v1/deployments", routes::list),
                Route.get("/v1/deployment/:id", routes::get),
                Route.put("/v1/deployment/fail/:id", routes::fail),
                Route.put("/v1/deployment/pause/:id", routes::pause),
                Route.put("/v1/deployment/promote/:id", routes::promote),
                Route.put("/v1/deployment/unblock/:id", routes::unblock),
                Route.put("/v1/deployment/allocation-health/:id", routes::health),
                Route.get("/v1/job/:id/deployment", routes::latestOfJob),
                Route.get("/v1/job/:id/deployments", routes::ofJob));
    }

    private Reply list(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(deployments.list(QueryParams.list(request)));
    }

    private Reply get(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(
                deployments.get(QueryParams.read(request), request.variable("id")), "deployment not found");
    }

    private Reply fail(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.written(deployments.fail(QueryParams.write(request), request.variable("id")));
    }

    private Reply pause(Request request) throws Refused, Trouble, InterruptedException {
        DeploymentPauseRequest body = Bodies.read(request, DeploymentPauseRequest.class);
        return Replies.written(
                deployments.pause(QueryParams.write(request), named(request, body.DeploymentID()), body.Pause()));
    }

    private Reply promote(Request request) throws Refused, Trouble, InterruptedException {
        DeploymentPromoteRequest body = Bodies.read(request, DeploymentPromoteRequest.class);
        List<String> groups = body.Groups() == null ? List.of() : body.Groups();
        if (body.All() != groups.isEmpty()) {
            throw QueryParams.malformed(
                    body.All() ? "All and Groups exclude each other" : "no groups to promote; give All or Groups");
        }
        return Replies.written(
                deployments.promote(QueryParams.write(request), named(request, body.DeploymentID()), groups));
    }

    private Reply health(Request request) throws Refused, Trouble, InterruptedException {
        DeploymentAllocHealthRequest body = Bodies.read(request, DeploymentAllocHealthRequest.class);
        return Replies.written(
                deployments.health(QueryParams.write(request), named(request, body.DeploymentID()), body));
    }

    /** Only a deployment of several regions waits to be unblocked, and there is only one region. */
    private Reply unblock(Request request) throws Refused {
        throw new Refused(new Refusal.Conflict("can't unblock deployment "
                + request.variable("id")
                + ": it is not blocked; only a multiregion deployment can be"));
    }

    private static String named(Request request, String inBody) throws Refused {
        String id = request.variable("id");
        if (!inBody.isEmpty() && !inBody.equals(id)) {
            throw QueryParams.malformed("Deployment ID does not match");
        }
        return id;
    }

    private Reply latestOfJob(Request request) throws Refused, Trouble, InterruptedException {
        Answer<Rows<Deployment>> all = deployments.ofJob(QueryParams.read(request), request.variable("id"), false);
        return Replies.withMeta(Reply.json(all.body().first().orElse(null)), all.meta());
    }

    private Reply ofJob(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(
                deployments.ofJob(QueryParams.read(request), request.variable("id"), QueryParams.flag(request, "all")));
    }
}
