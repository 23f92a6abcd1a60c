package io.cleat.csi;

/** What a controller service offers (CSI 1.13, ControllerServiceCapability.RPC). */
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
    /** Of CSI 1.12 and older: the condition of a volume comes with what lists or gets it. */
    VOLUME_CONDITION,
    GET_VOLUME,
    SINGLE_NODE_MULTI_WRITER,
    MODIFY_VOLUME,
    GET_SNAPSHOT,
    GET_VOLUME_HEALTH,
    LIST_VOLUME_HEALTH
}
