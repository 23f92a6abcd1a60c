package io.cleat.http.routes;

import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.NodesApi;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;

/** Nodes (facts 2.7). */
final class NodeRoutes {
    private final NodesApi nodes;

    private NodeRoutes(NodesApi nodes) {
        this.nodes = nodes;
    }

    static List<Route> of(NodesApi nodes) {
        NodeRoutes routes = new NodeRoutes(nodes);
        return List.of(
                Route.get("/v1/nodes", routes::list),
                Route.get("/v1/node/:id", routes::get),
                Route.get("/v1/node/:id/allocations", routes::allocations));
    }

    private Reply list(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(
                nodes.list(QueryParams.list(request), QueryParams.flag(request, "resources")));
    }

    private Reply get(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(
                nodes.get(QueryParams.read(request), request.variable("id")), "node not found");
    }

    private Reply allocations(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(nodes.allocations(QueryParams.read(request), request.variable("id")));
    }
}
