package io.cleat.clusterapi;

import io.cleat.clusterapi.allocations.AllocationRoutes;
import io.cleat.clusterapi.deployments.DeploymentRoutes;
import io.cleat.clusterapi.evaluations.EvaluationRoutes;
import io.cleat.clusterapi.events.EventRoutes;
import io.cleat.clusterapi.jobs.JobRoutes;
import io.cleat.clusterapi.jobs.ScalingRoutes;
import io.cleat.clusterapi.namespaces.NamespaceRoutes;
import io.cleat.clusterapi.nodes.NodePoolRoutes;
import io.cleat.clusterapi.nodes.NodeRoutes;
import io.cleat.clusterapi.operator.OperatorRoutes;
import io.cleat.clusterapi.plugins.PluginRoutes;
import io.cleat.clusterapi.search.SearchRoutes;
import io.cleat.clusterapi.services.ServiceRoutes;
import io.cleat.clusterapi.variables.VariableRoutes;
import io.cleat.clusterapi.volumes.HostVolumeRoutes;
import io.cleat.clusterapi.volumes.VolumeRoutes;
import io.cleat.http.AgentLocator;
import io.cleat.http.NodeApi;
import io.cleat.http.Route;
import io.cleat.http.routes.Routes;
import java.util.List;
import java.util.stream.Stream;

/** The routes of what a server answers, from its image and with decisions. */
public final class ClusterRoutes {
    private ClusterRoutes() {}

    public static List<Route> of(ServerCluster cluster) {
        return Stream.of(
                        // A path of a pool could be one of a node named "pool".
                        NodePoolRoutes.of(cluster.nodePools()),
                        VolumeRoutes.of(cluster.volumes(), cluster.snapshots(), cluster.hostVolumes()),
                        HostVolumeRoutes.of(cluster.hostVolumes()),
                        ServiceRoutes.of(cluster.services()),
                        PluginRoutes.of(cluster.plugins()),
                        JobRoutes.of(cluster.jobs(), cluster.jobVersions(), cluster.jobWrites(), cluster.jobDrafts()),
                        EvaluationRoutes.of(cluster.evaluations()),
                        DeploymentRoutes.of(cluster.deployments()),
                        AllocationRoutes.of(cluster.allocations()),
                        ScalingRoutes.of(cluster.scaling()),
                        NodeRoutes.of(cluster.nodes()),
                        NamespaceRoutes.of(cluster.namespaces()),
                        VariableRoutes.of(cluster.variables()),
                        SearchRoutes.of(cluster.search()),
                        OperatorRoutes.of(cluster.operator()),
                        EventRoutes.of(cluster.events()))
                .flatMap(List::stream)
                .toList();
    }

    /**
     * With those of the agent that the server is in.
     *
     * @param locator of nodes that other agents run
     */
    public static List<Route> of(ServerCluster cluster, NodeApi node, AgentLocator locator) {
        return Stream.of(of(cluster), Routes.of(node, cluster.operator()::metrics, locator))
                .flatMap(List::stream)
                .toList();
    }
}
