package io.cleat.http.routes;

import io.cleat.api.Metrics;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.NodeApi;
import io.cleat.http.QueryParams;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;
import java.util.stream.Stream;

/** Figures of the agent that is asked: of its server, of its node, and of its process. */
public final class MetricsRoutes {
    private MetricsRoutes() {}

    /** For an agent with a server. */
    static List<Route> of(Source ofServer, NodeApi node) {
        return route(() -> joined(ofServer.metrics(), node.metrics()));
    }

    /** For an agent with a node alone. */
    static List<Route> of(NodeApi node) {
        return route(node::metrics);
    }

    private static List<Route> route(Source source) {
        return List.of(Route.get("/v1/metrics", request -> answer(request, source.metrics())));
    }

    private static Metrics joined(Metrics server, Metrics node) {
        return new Metrics(
                server.Counters(),
                Stream.of(server.Gauges(), node.Gauges()).flatMap(List::stream).toList(),
                server.Points(),
                server.PrecisionGauges(),
                server.Samples(),
                server.Timestamp());
    }

    private static Reply answer(Request request, Metrics metrics) throws Refused {
        return switch (request.text("format")) {
            case "" -> Reply.json(metrics);
            case "prometheus" -> Reply.text(200, Prometheus.text(metrics));
            default -> throw QueryParams.malformed("format is prometheus, or is left out for JSON");
        };
    }

    /** Where figures come from. */
    @FunctionalInterface
    public interface Source {
        Metrics metrics() throws Refused, Trouble, InterruptedException;
    }
}
