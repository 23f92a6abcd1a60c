package io.cleat.views;

import io.cleat.http.NodeApi;
import io.cleat.http.Route;
import io.cleat.http.Whereabouts;
import io.cleat.http.routes.Routes;
import java.util.List;
import java.util.stream.Stream;

/** The routes of what a server answers, from its image and with decisions. */
public final class ClusterRoutes {
    private ClusterRoutes() {}

    public static List<Route> of(ServerCluster cluster) {
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

    /**
     * With those of the agent that the server is in.
     *
     * @param whereabouts of nodes that other agents run
     */
    public static List<Route> of(ServerCluster cluster, NodeApi node, Whereabouts whereabouts) {
        return Stream.of(of(cluster), Routes.of(node, cluster.operator()::metrics, whereabouts))
                .flatMap(List::stream)
                .toList();
    }
}
