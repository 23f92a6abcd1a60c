package io.cleat.state;

/** The tables, each with a version of its own. */
public enum TableName {
    NODES,
    JOBS,
    JOB_VERSIONS,
    EVALUATIONS,
    ALLOCATIONS,
    VOLUMES,
    CLAIMS,
    ATTACHMENTS,
    OPERATIONS,
    REQUESTS,
    PLUGINS,
    NODE_TOMBSTONES,
    VOLUME_TOMBSTONES,
    DEPLOYMENTS,
    REMAINDERS,
    OTHER_PASTS,
    HOLDINGS,
    NAMESPACES,
    SCHEDULING,
    VARIABLES,
    HOST_VOLUMES,
    STICKY_CLAIMS,
    SCALE_EVENTS
}
