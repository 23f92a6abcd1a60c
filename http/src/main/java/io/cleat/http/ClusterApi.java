package io.cleat.http;

/**
 * The cluster, as the routes see it: a server, or a forwarder to one. Any thread may call; each
 * call blocks until it is answered. Every method throws {@link io.cleat.base.Refused} for an answer
 * that is a refusal and {@link io.cleat.base.Trouble} where the outside did not cooperate; a
 * missing object is an empty {@link java.util.Optional} on reads, so that its headers can be sent
 * too.
 */
public interface ClusterApi {
    VolumesApi volumes();

    PluginsApi plugins();

    JobsApi jobs();

    EvaluationsApi evaluations();

    DeploymentsApi deployments();

    AllocationsApi allocations();

    NodesApi nodes();

    NodePoolsApi nodePools();

    ScalingApi scaling();

    NamespacesApi namespaces();

    VariablesApi variables();

    HostVolumesApi hostVolumes();

    ServicesApi services();

    OperatorApi operator();

    EventsApi events();
}
