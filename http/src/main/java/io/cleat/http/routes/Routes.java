package io.cleat.http.routes;

import io.cleat.http.ClusterApi;
import io.cleat.http.NodeApi;
import io.cleat.http.Route;
import java.util.List;
import java.util.stream.Stream;

/** The whole table of routes. */
public final class Routes {
    private Routes() {}

    public static List<Route> of(ClusterApi cluster, NodeApi node) {
        return Stream.of(
                        VolumeRoutes.of(cluster),
                        PluginRoutes.of(cluster.plugins()),
                        JobRoutes.of(cluster),
                        EvaluationRoutes.of(cluster.evaluations()),
                        AllocationRoutes.of(cluster.allocations()),
                        NodeRoutes.of(cluster.nodes()),
                        OperatorRoutes.of(cluster.operator()),
                        AgentRoutes.of(node),
                        LogRoutes.of(node))
                .flatMap(List::stream)
                .toList();
    }
}
