package io.cleat.http.routes;

import io.cleat.http.ClusterApi;
import io.cleat.http.NodeApi;
import io.cleat.http.Route;
import io.cleat.http.Whereabouts;
import java.util.List;
import java.util.stream.Stream;

/** The whole table of routes. */
public final class Routes {
    private Routes() {}

    /**
     * For an agent with a server.
     *
     * @param whereabouts of nodes that other agents run
     */
    public static List<Route> of(ClusterApi cluster, NodeApi node, Whereabouts whereabouts) {
        return Stream.of(
                        of(cluster),
                        MetricsRoutes.of(cluster.operator(), node),
                        ofEach(node, whereabouts))
                .flatMap(List::stream)
                .toList();
    }

    /** For an agent with a node alone. */
    public static List<Route> of(NodeApi node, Whereabouts whereabouts) {
        return Stream.of(MetricsRoutes.of(node), ofEach(node, whereabouts))
                .flatMap(List::stream)
                .toList();
    }

    /** Those that a server answers from its image, and with decisions. */
    public static List<Route> of(ClusterApi cluster) {
        return Stream.of(
                        VolumeRoutes.of(cluster),
                        HostVolumeRoutes.of(cluster.hostVolumes()),
                        ServiceRoutes.of(cluster.services()),
                        PluginRoutes.of(cluster.plugins()),
                        JobRoutes.of(cluster),
                        EvaluationRoutes.of(cluster.evaluations()),
                        DeploymentRoutes.of(cluster.deployments()),
                        AllocationRoutes.of(cluster.allocations()),
                        NodePoolRoutes.of(cluster.nodePools()),
                        ScalingRoutes.of(cluster.scaling()),
                        NodeRoutes.of(cluster.nodes()),
                        NamespaceRoutes.of(cluster.namespaces()),
                        VariableRoutes.of(cluster.variables()),
                        OperatorRoutes.of(cluster.operator()),
                        EventRoutes.of(cluster.events()))
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
