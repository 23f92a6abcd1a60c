package io.cleat.model;

/** What a controller plugin announces (CSI specification, ControllerServiceCapability.RPC). */
public enum ControllerCapability {
    CREATE_DELETE_VOLUME,
    PUBLISH_UNPUBLISH_VOLUME,
    LIST_VOLUMES,
    GET_CAPACITY,
    CREATE_DELETE_SNAPSHOT,
    LIST_SNAPSHOTS,
    CLONE_VOLUME,
    PUBLISH_READONLY,
    EXPAND_VOLUME,
    LIST_VOLUMES_PUBLISHED_NODES,
    VOLUME_CONDITION,
    GET_VOLUME,
    SINGLE_NODE_MULTI_WRITER,
    MODIFY_VOLUME,
    GET_SNAPSHOT,
    GET_VOLUME_HEALTH,
    LIST_VOLUME_HEALTH
}
