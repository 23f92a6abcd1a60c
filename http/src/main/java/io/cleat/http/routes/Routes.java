package io.cleat.http.routes;

import io.cleat.http.NodeApi;
import io.cleat.http.Route;
import io.cleat.http.Whereabouts;
import java.util.List;
import java.util.stream.Stream;

/** The routes of what each agent answers for itself. */
public final class Routes {
    private Routes() {}

    /**
     * For an agent with a server.
     *
     * @param ofServer the figures of its server
     * @param whereabouts of nodes that other agents run
     */
    public static List<Route> of(NodeApi node, MetricsRoutes.Source ofServer, Whereabouts whereabouts) {
        return Stream.of(MetricsRoutes.of(ofServer, node), ofEach(node, whereabouts))
                .flatMap(List::stream)
                .toList();
    }

    /** For an agent with a node alone. */
    public static List<Route> of(NodeApi node, Whereabouts whereabouts) {
        return Stream.of(MetricsRoutes.of(node), ofEach(node, whereabouts))
                .flatMap(List::stream)
                .toList();
    }

    /** Those that each agent answers for itself. */
    private static List<Route> ofEach(NodeApi node, Whereabouts whereabouts) {
        return Stream.of(
                        AgentRoutes.of(node, whereabouts),
                        LogRoutes.of(node, whereabouts),
                        FileRoutes.of(node, whereabouts),
                        ExecRoutes.of(node, whereabouts),
                        TaskRoutes.of(node, whereabouts))
                .flatMap(List::stream)
                .toList();
    }
}
