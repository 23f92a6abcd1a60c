package io.cleat.views;

import io.cleat.base.Ids;
import io.cleat.base.Time;
import io.cleat.http.AllocationsApi;
import io.cleat.http.ClusterApi;
import io.cleat.http.DeploymentsApi;
import io.cleat.http.EvaluationsApi;
import io.cleat.http.EventsApi;
import io.cleat.http.HostVolumesApi;
import io.cleat.http.JobsApi;
import io.cleat.http.NamespacesApi;
import io.cleat.http.NodePoolsApi;
import io.cleat.http.NodesApi;
import io.cleat.http.OperatorApi;
import io.cleat.http.PluginsApi;
import io.cleat.http.ScalingApi;
import io.cleat.http.ServicesApi;
import io.cleat.http.VariablesApi;
import io.cleat.http.VolumesApi;
import io.cleat.server.intake.Images;
import io.cleat.server.intake.Requests;

/** The cluster as the routes see it, over the server of this process. */
public final class ServerCluster implements ClusterApi {
    private final VolumesApi volumes;
    private final PluginsApi plugins;
    private final JobsApi jobs;
    private final EvaluationsApi evaluations;
    private final DeploymentsApi deployments;
    private final AllocationsApi allocations;
    private final NodesApi nodes;
    private final NodePoolsApi nodePools;
    private final ScalingApi scaling;
    private final NamespacesApi namespaces;
    private final VariablesApi variables;
    private final HostVolumesApi hostVolumes;
    private final ServicesApi services;
    private final OperatorApi operator;
    private final EventsApi events;

    /**
     * @param version of the API's model that this program follows
     */
    public ServerCluster(
            Images images,
            Requests requests,
            Membership membership,
            String version,
            Time time,
            Ids ids) {
        Reading.Desk desk = new Reading.Desk(images, membership);
        KnownCounts counts = new KnownCounts();
        volumes = new VolumeAnswers(desk, requests, counts);
        plugins = new PluginAnswers(desk, time, counts);
        JobAnswers ofJobs = new JobAnswers(desk, requests, time, ids);
        NodeAnswers ofNodes = new NodeAnswers(desk, requests);
        jobs = ofJobs;
        evaluations = new EvaluationAnswers(desk, requests);
        deployments = new DeploymentAnswers(desk, requests);
        allocations = new AllocationAnswers(desk, requests);
        nodes = ofNodes;
        nodePools = new NodePoolAnswers(desk, ofNodes, ofJobs);
        scaling = new ScalingAnswers(desk);
        namespaces = new NamespaceAnswers(desk, requests);
        variables = new VariableAnswers(desk, requests);
        operator = new OperatorAnswers(desk, requests, membership, version, time);
        hostVolumes = new HostVolumeAnswers(desk, requests);
        services = new ServiceAnswers(desk, requests);
        events = new EventAnswers(requests.recent(), time);
    }

    @Override
    public VolumesApi volumes() {
        return volumes;
    }

    @Override
    public PluginsApi plugins() {
        return plugins;
    }

    @Override
    public JobsApi jobs() {
        return jobs;
    }

    @Override
    public EvaluationsApi evaluations() {
        return evaluations;
    }

    @Override
    public DeploymentsApi deployments() {
        return deployments;
    }

    @Override
    public AllocationsApi allocations() {
        return allocations;
    }

    @Override
    public NodesApi nodes() {
        return nodes;
    }

    @Override
    public NodePoolsApi nodePools() {
        return nodePools;
    }

    @Override
    public ScalingApi scaling() {
        return scaling;
    }

    @Override
    public NamespacesApi namespaces() {
        return namespaces;
    }

    @Override
    public VariablesApi variables() {
        return variables;
    }

    @Override
    public HostVolumesApi hostVolumes() {
        return hostVolumes;
    }

    @Override
    public ServicesApi services() {
        return services;
    }

    @Override
    public OperatorApi operator() {
        return operator;
    }

    @Override
    public EventsApi events() {
        return events;
    }
}
