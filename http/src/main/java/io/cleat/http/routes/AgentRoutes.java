package io.cleat.http.routes;

import io.cleat.api.AgentHealth;
import io.cleat.api.NodeMetaRequest;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.AgentLocator;
import io.cleat.http.AgentLog;
import io.cleat.http.Bodies;
import io.cleat.http.NodeApi;
import io.cleat.http.PieceReader;
import io.cleat.http.QueryParams;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** This agent, and what its node and allocations use. */
final class AgentRoutes {
    private final NodeApi node;

    private AgentRoutes(NodeApi node) {
        this.node = node;
    }

    static List<Route> of(NodeApi node, AgentLocator locator) {
        AgentRoutes routes = new AgentRoutes(node);
        AllocationRelay relay = new AllocationRelay(node, locator);
        return List.of(
                Route.get("/v1/agent/self", request -> Reply.json(node.self())),
                Route.get("/v1/agent/health", routes::health),
                Route.get("/v1/agent/monitor", locator.orOnNode(routes::monitor)),
                Route.get("/v1/client/metadata", locator.orOnNode(routes::meta)),
                Route.put("/v1/client/metadata", locator.orOnNode(AgentRoutes::nodeOfMeta, routes::changeMeta)),
                Route.get("/v1/client/stats", locator.orOnNode(routes::stats)),
                Route.get("/v1/client/gc", locator.orOnNode(routes::collect)),
                Route.put("/v1/client/gc", locator.orOnNode(routes::collect)),
                Route.get("/v1/client/allocation/:id/gc", relay.to(routes::collectOne)),
                Route.put("/v1/client/allocation/:id/gc", relay.to(routes::collectOne))
                        .withMissingAs404(),
                Route.get(
                        "/v1/client/allocation/:id/checks",
                        relay.to(request -> Reply.json(node.checks(request.variable("id"))))),
                Route.get("/v1/client/allocation/:id/stats", relay.to(routes::allocStats)),
                Route.get(
                        "/v1/client/allocation/:id/volumes",
                        relay.to(request -> Reply.json(node.volumes(request.variable("id"))))));
    }

    private Reply health(Request request) throws Refused, Trouble, InterruptedException {
        AgentHealth all = node.health();
        AgentHealth asked = switch (request.text("type")) {
            case "" -> all;
            case "client" -> new AgentHealth(all.client(), null);
            case "server" -> new AgentHealth(null, all.server());
            default -> throw QueryParams.malformed("type is client or server");
        };
        boolean isWell = isWell(asked.client()) && isWell(asked.server());
        return new Reply(isWell ? 200 : 500, Map.of(), new Reply.Json(asked));
    }

    private static boolean isWell(AgentHealth.@Nullable Part part) {
        return part == null || part.ok();
    }

    private Reply collect(Request request) throws Refused, Trouble, InterruptedException {
        node.giveUpAllFiles(request.text("node_id"));
        return Reply.empty();
    }

    private Reply collectOne(Request request) throws Refused, Trouble, InterruptedException {
        node.giveUpFiles(request.variable("id"));
        return Reply.empty();
    }

    private Reply stats(Request request) throws Refused, Trouble, InterruptedException {
        return Reply.json(node.stats(request.text("node_id")));
    }

    private Reply meta(Request request) throws Refused, Trouble, InterruptedException {
        return Reply.json(node.meta(request.text("node_id")));
    }

    private Reply changeMeta(Request request) throws Refused, Trouble, InterruptedException {
        Map<String, @Nullable String> more =
                Bodies.read(request, NodeMetaRequest.class).Meta();
        if (more == null || more.isEmpty()) {
            throw QueryParams.malformed("missing required Meta object");
        }
        return Reply.json(node.changeMeta(nodeOfMeta(request), more));
    }

    /** Some clients name it in the body. */
    private static String nodeOfMeta(Request request) throws Refused {
        String named = request.text("node_id");
        return named.isEmpty() ? Bodies.read(request, NodeMetaRequest.class).NodeID() : named;
    }

    private Reply monitor(Request request) throws Refused, Trouble, InterruptedException {
        boolean isPlain = QueryParams.flag(request, "plain");
        PieceReader reader = node.monitor(
                request.text("node_id"),
                AgentLog.Severity.of(request.text("log_level")),
                QueryParams.flag(request, "log_json"));
        return isPlain ? Pieces.plain(reader) : Pieces.framed(reader);
    }

    private Reply allocStats(Request request) throws Refused, Trouble, InterruptedException {
        return Reply.json(node.allocStats(request.variable("id"), request.text("task")));
    }
}
