package io.cleat.clusterapi;

import io.cleat.base.Ids;
import io.cleat.base.Time;
import io.cleat.clusterapi.allocations.AllocationAnswers;
import io.cleat.clusterapi.deployments.DeploymentAnswers;
import io.cleat.clusterapi.evaluations.EvaluationAnswers;
import io.cleat.clusterapi.events.EventAnswers;
import io.cleat.clusterapi.jobs.JobAnswers;
import io.cleat.clusterapi.jobs.JobDrafts;
import io.cleat.clusterapi.jobs.JobVersions;
import io.cleat.clusterapi.jobs.JobWrites;
import io.cleat.clusterapi.jobs.ScalingAnswers;
import io.cleat.clusterapi.membership.Membership;
import io.cleat.clusterapi.namespaces.NamespaceAnswers;
import io.cleat.clusterapi.nodes.NodeAnswers;
import io.cleat.clusterapi.nodes.NodePoolAnswers;
import io.cleat.clusterapi.operator.OperatorAnswers;
import io.cleat.clusterapi.plugins.KnownCounts;
import io.cleat.clusterapi.plugins.PluginAnswers;
import io.cleat.clusterapi.query.Readings;
import io.cleat.clusterapi.search.SearchAnswers;
import io.cleat.clusterapi.services.ServiceAnswers;
import io.cleat.clusterapi.variables.VariableAnswers;
import io.cleat.clusterapi.volumes.HostVolumeAnswers;
import io.cleat.clusterapi.volumes.SnapshotAnswers;
import io.cleat.clusterapi.volumes.VolumeAnswers;
import io.cleat.server.intake.Images;
import io.cleat.server.intake.Requests;

/** The cluster as the routes see it, over the server of this process. */
public final class ServerCluster {
    private final VolumeAnswers volumes;
    private final SnapshotAnswers snapshots;
    private final PluginAnswers plugins;
    private final JobAnswers jobs;
    private final JobVersions jobVersions;
    private final JobWrites jobWrites;
    private final JobDrafts jobDrafts;
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
    private final SearchAnswers search;
    private final OperatorAnswers operator;
    private final EventAnswers events;

    /** @param version of the API's model that this program follows */
    public ServerCluster(Images images, Requests requests, Membership membership, String version, Time time, Ids ids) {
        Readings readings = new Readings(images, membership);
        KnownCounts counts = new KnownCounts();
        volumes = new VolumeAnswers(readings, requests, counts);
        snapshots = new SnapshotAnswers(requests);
        plugins = new PluginAnswers(readings, time, counts);
        jobs = new JobAnswers(readings);
        jobVersions = new JobVersions(readings, requests);
        jobWrites = new JobWrites(readings, requests);
        jobDrafts = new JobDrafts(readings, requests, time, ids);
        nodes = new NodeAnswers(readings, requests);
        evaluations = new EvaluationAnswers(readings, requests);
        deployments = new DeploymentAnswers(readings, requests);
        allocations = new AllocationAnswers(readings, requests);
        nodePools = new NodePoolAnswers(readings, nodes);
        scaling = new ScalingAnswers(readings);
        namespaces = new NamespaceAnswers(readings, requests);
        variables = new VariableAnswers(readings, requests);
        search = new SearchAnswers(readings);
        operator = new OperatorAnswers(readings, requests, membership, version, time);
        hostVolumes = new HostVolumeAnswers(readings, requests);
        services = new ServiceAnswers(readings, requests);
        events = new EventAnswers(requests.recent(), time);
    }

    public VolumeAnswers volumes() {
        return volumes;
    }

    public SnapshotAnswers snapshots() {
        return snapshots;
    }

    public PluginAnswers plugins() {
        return plugins;
    }

    public JobAnswers jobs() {
        return jobs;
    }

    public JobVersions jobVersions() {
        return jobVersions;
    }

    public JobWrites jobWrites() {
        return jobWrites;
    }

    public JobDrafts jobDrafts() {
        return jobDrafts;
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

    public SearchAnswers search() {
        return search;
    }

    public OperatorAnswers operator() {
        return operator;
    }

    public EventAnswers events() {
        return events;
    }
}
