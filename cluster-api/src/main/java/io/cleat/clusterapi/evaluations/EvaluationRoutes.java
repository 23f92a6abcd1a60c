package io.cleat.clusterapi.evaluations;

import io.cleat.api.EvalDeleteRequest;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.Bodies;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;

/** Evaluations. */
public final class EvaluationRoutes {
    private final EvaluationAnswers evaluations;

    private EvaluationRoutes(EvaluationAnswers evaluations) {
        this.evaluations = evaluations;
    }

    public static List<Route> of(EvaluationAnswers evaluations) {
        EvaluationRoutes routes = new EvaluationRoutes(evaluations);
        return List.of(
                Route.get("/v1/evaluations", routes::list),
                Route.delete("/v1/evaluations", routes::delete),
                Route.get("/v1/evaluations/count", routes::count),
                Route.get("/v1/evaluation/:id", routes::get),
                Route.get("/v1/job/:id/evaluations", routes::ofJob));
    }

    private Reply list(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(evaluations.list(QueryParams.list(request), request.text("job"), request.text("status")));
    }

    private Reply count(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(evaluations.count(QueryParams.list(request), request.text("job"), request.text("status")));
    }

    private Reply delete(Request request) throws Refused, Trouble, InterruptedException {
        EvalDeleteRequest body = Bodies.read(request, EvalDeleteRequest.class);
        List<String> ids = body.EvalIDs();
        boolean hasIds = ids != null && !ids.isEmpty();
        if (hasIds == !body.Filter().isBlank()) {
            throw QueryParams.malformed(
                    "give the ids of evaluations (EvalIDs), or an expression that they fit (Filter), and not "
                            + (hasIds ? "both" : "neither"));
        }
        return Replies.written(
                hasIds && ids != null
                        ? evaluations.delete(QueryParams.write(request), ids)
                        : evaluations.deleteMatching(QueryParams.write(request), QueryParams.filter(body.Filter())));
    }

    private Reply get(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(
                evaluations.get(
                        QueryParams.read(request), request.variable("id"), QueryParams.flag(request, "related")),
                "eval not found");
    }

    private Reply ofJob(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(evaluations.ofJob(QueryParams.read(request), request.variable("id")));
    }
}
