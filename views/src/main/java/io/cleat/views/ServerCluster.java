package io.cleat.views;

import io.cleat.base.Ids;
import io.cleat.base.Time;
import io.cleat.server.intake.Images;
import io.cleat.server.intake.Requests;

/** The cluster as the routes see it, over the server of this process. */
public final class ServerCluster {
    private final VolumeAnswers volumes;
    private final PluginAnswers plugins;
    private final JobAnswers jobs;
    private final EvaluationAnswers evaluations;
    private final DeploymentAnswers deployments;
    private final AllocationAnswers allocations;
    private final NodeAnswers nodes;
    private final NodePoolAnswers nodePools;
    private final ScalingAnswers scaling;
    private final NamespaceAnswers namespaces;
    private final VariableAnswers variables;
    private final HostVolumeAnswers hostVolumes;
    private final ServiceAnswers services;
    private final OperatorAnswers operator;
    private final EventAnswers events;

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
        jobs = new JobAnswers(desk, requests, time, ids);
        nodes = new NodeAnswers(desk, requests);
        evaluations = new EvaluationAnswers(desk, requests);
        deployments = new DeploymentAnswers(desk, requests);
        allocations = new AllocationAnswers(desk, requests);
        nodePools = new NodePoolAnswers(desk, nodes, jobs);
        scaling = new ScalingAnswers(desk);
        namespaces = new NamespaceAnswers(desk, requests);
        variables = new VariableAnswers(desk, requests);
        operator = new OperatorAnswers(desk, requests, membership, version, time);
        hostVolumes = new HostVolumeAnswers(desk, requests);
        services = new ServiceAnswers(desk, requests);
        events = new EventAnswers(requests.recent(), time);
    }

    public VolumeAnswers volumes() {
        return volumes;
    }

    public PluginAnswers plugins() {
        return plugins;
    }

    public JobAnswers jobs() {
        return jobs;
    }

    public EvaluationAnswers evaluations() {
        return evaluations;
    }

    public DeploymentAnswers deployments() {
        return deployments;
    }

    public AllocationAnswers allocations() {
        return allocations;
    }

    public NodeAnswers nodes() {
        return nodes;
    }

    public NodePoolAnswers nodePools() {
        return nodePools;
    }

    public ScalingAnswers scaling() {
        return scaling;
    }

    public NamespaceAnswers namespaces() {
        return namespaces;
    }

    public VariableAnswers variables() {
        return variables;
    }

    public HostVolumeAnswers hostVolumes() {
        return hostVolumes;
    }

    public ServiceAnswers services() {
        return services;
    }

    public OperatorAnswers operator() {
        return operator;
    }

    public EventAnswers events() {
        return events;
    }
}
