package io.cleat.clusterapi.nodes;

import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;

/** Node pools. */
public final class NodePoolRoutes {
    private final NodePoolAnswers pools;

    private NodePoolRoutes(NodePoolAnswers pools) {
        this.pools = pools;
    }

    public static List<Route> of(NodePoolAnswers pools) {
        NodePoolRoutes routes = new NodePoolRoutes(pools);
        return List.of(
                Route.get("/v1/node/pools", routes::list),
                Route.put("/v1/node/pools", request -> notMade()),
                Route.get("/v1/node/pool/:name", routes::get),
                Route.put("/v1/node/pool/:name", request -> notMade()),
                Route.delete("/v1/node/pool/:name", request -> notMade()),
                Route.get("/v1/node/pool/:name/nodes", routes::nodes));
    }

    private Reply list(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(pools.list(QueryParams.list(request)));
    }

    private Reply get(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(pools.get(QueryParams.read(request), request.variable("name")), "node pool not found");
    }

    private Reply nodes(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(pools.nodes(QueryParams.list(request), request.variable("name")));
    }

    private static Reply notMade() throws Refused {
        throw QueryParams.malformed("a node pool is there while a node is that was started in it, with \"cleat agent"
                + " -node-pool=NAME\": none is made or removed");
    }
}
