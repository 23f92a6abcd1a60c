package io.cleat.clusterapi.jobs;

import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;

/** Scaling policies. */
public final class ScalingRoutes {
    private final ScalingAnswers scaling;

    private ScalingRoutes(ScalingAnswers scaling) {
        this.scaling = scaling;
    }

    public static List<Route> of(ScalingAnswers scaling) {
        ScalingRoutes routes = new ScalingRoutes(scaling);
        return List.of(
                Route.get("/v1/scaling/policies", routes::policies),
                Route.get("/v1/scaling/policy/:id", routes::policy));
    }

    private Reply policies(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(scaling.policies(QueryParams.read(request), request.text("job"), request.text("type")));
    }

    private Reply policy(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(
                scaling.policy(QueryParams.read(request), request.variable("id")), "scaling policy not found");
    }
}
