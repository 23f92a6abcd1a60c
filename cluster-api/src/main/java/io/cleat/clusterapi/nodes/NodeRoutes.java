package io.cleat.clusterapi.nodes;

import io.cleat.api.NodeDrainRequest;
import io.cleat.api.NodeEligibilityRequest;
import io.cleat.api.NodeQuarantineRequest;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.Bodies;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;

/** Nodes. */
public final class NodeRoutes {
    private static final String MISSING = "node not found";

    private final NodeAnswers nodes;

    private NodeRoutes(NodeAnswers nodes) {
        this.nodes = nodes;
    }

    public static List<Route> of(NodeAnswers nodes) {
        NodeRoutes routes = new NodeRoutes(nodes);
        return List.of(
                Route.get("/v1/nodes", routes::list),
                Route.get("/v1/node/:id", routes::get),
                Route.get("/v1/node/:id/drain", routes::drainProgress),
                Route.put("/v1/node/:id/drain", routes::drain),
                Route.put("/v1/node/:id/eligibility", routes::eligibility),
                Route.put("/v1/node/:id/evaluate", routes::evaluate),
                Route.put("/v1/node/:id/quarantine", routes::quarantine),
                Route.put("/v1/node/:id/purge", routes::purge));
    }

    private Reply list(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(nodes.list(QueryParams.list(request), QueryParams.flag(request, "resources")));
    }

    private Reply get(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(nodes.get(QueryParams.read(request), request.variable("id")), MISSING);
    }

    private Reply drainProgress(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(nodes.drainProgress(QueryParams.read(request), request.variable("id")), MISSING);
    }

    private Reply drain(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(nodes.drain(
                QueryParams.write(request), request.variable("id"), Bodies.read(request, NodeDrainRequest.class)));
    }

    private Reply evaluate(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.written(nodes.evaluate(QueryParams.write(request), request.variable("id")));
    }

    private Reply quarantine(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(nodes.quarantine(
                QueryParams.write(request), request.variable("id"), Bodies.read(request, NodeQuarantineRequest.class)));
    }

    private Reply purge(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(nodes.purge(QueryParams.write(request), request.variable("id")));
    }

    private Reply eligibility(Request request) throws Refused, Trouble, InterruptedException {
        String wanted = Bodies.read(request, NodeEligibilityRequest.class).Eligibility();
        boolean eligible = switch (wanted) {
            case "eligible" -> true;
            case "ineligible" -> false;
            default ->
                throw QueryParams.malformed(
                        "invalid scheduling eligibility \"" + wanted + "\"; expected eligible or ineligible");
        };
        return Replies.query(nodes.eligibility(QueryParams.write(request), request.variable("id"), eligible));
    }
}
