package io.cleat.clusterapi.allocations;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;

/** Allocations, and those of other resources. */
public final class AllocationRoutes {
    private final AllocationAnswers allocations;

    private AllocationRoutes(AllocationAnswers allocations) {
        this.allocations = allocations;
    }

    public static List<Route> of(AllocationAnswers allocations) {
        AllocationRoutes routes = new AllocationRoutes(allocations);
        return List.of(
                Route.get("/v1/allocations", routes::list),
                Route.get("/v1/allocation/:id", routes::get),
                Route.put("/v1/allocation/:id/stop", routes::stop).withMissingAs404(),
                Route.get("/v1/job/:id/allocations", routes::ofJob),
                Route.get("/v1/evaluation/:id/allocations", routes::ofEvaluation),
                Route.get("/v1/deployment/allocations/:id", routes::ofDeployment),
                Route.get("/v1/node/:id/allocations", routes::ofNode));
    }

    private Reply list(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(allocations.list(
                QueryParams.list(request),
                QueryParams.flag(request, "resources"),
                QueryParams.flag(request, "task_states", true)));
    }

    private Reply get(Request request) throws Refused, Trouble, InterruptedException {
        String id = request.variable("id");
        if (id.length() != 36) {
            throw new Refused(new Refusal.Invalid("alloc lookup failed: index error: UUID must be 36 characters"));
        }
        return Replies.found(allocations.get(QueryParams.read(request), id), "alloc not found");
    }

    private Reply stop(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.written(allocations.stop(
                QueryParams.writeOfAny(request),
                request.variable("id"),
                QueryParams.flag(request, "no_shutdown_delay")));
    }

    private Reply ofJob(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(
                allocations.ofJob(QueryParams.read(request), request.variable("id"), QueryParams.flag(request, "all")));
    }

    private Reply ofEvaluation(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(allocations.ofEvaluation(QueryParams.read(request), request.variable("id")));
    }

    private Reply ofDeployment(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(allocations.ofDeployment(QueryParams.read(request), request.variable("id")));
    }

    private Reply ofNode(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(allocations.ofNode(QueryParams.read(request), request.variable("id")));
    }
}
