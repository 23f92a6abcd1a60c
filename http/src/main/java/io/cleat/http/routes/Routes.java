package io.cleat.http.routes;

import io.cleat.http.AgentLocator;
import io.cleat.http.NodeApi;
import io.cleat.http.Route;
import java.util.List;
import java.util.stream.Stream;

/** The routes of what each agent answers for itself. */
public final class Routes {
    private Routes() {}

    /**
     * For an agent with a server.
     *
     * @param ofServer the figures of its server
     * @param locator of nodes that other agents run
     */
    public static List<Route> of(NodeApi node, MetricsRoutes.Source ofServer, AgentLocator locator) {
        return Stream.of(MetricsRoutes.of(ofServer, node), ofEach(node, locator))
                .flatMap(List::stream)
                .toList();
    }

    /** For an agent with a node alone. */
    public static List<Route> of(NodeApi node, AgentLocator locator) {
        return Stream.of(MetricsRoutes.of(node), ofEach(node, locator))
                .flatMap(List::stream)
                .toList();
    }

    /** Those that each agent answers for itself. */
    private static List<Route> ofEach(NodeApi node, AgentLocator locator) {
        return Stream.of(
                        AgentRoutes.of(node, locator),
                        LogRoutes.of(node, locator),
                        FileRoutes.of(node, locator),
                        ExecRoutes.of(node, locator),
                        TaskRoutes.of(node, locator))
                .flatMap(List::stream)
                .toList();
    }
}
