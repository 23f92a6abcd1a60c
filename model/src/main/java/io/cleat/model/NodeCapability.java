package io.cleat.model;

/** What a node plugin announces (CSI specification, NodeServiceCapability.RPC). */
public enum NodeCapability {
    STAGE_UNSTAGE_VOLUME,
    GET_VOLUME_STATS,
    EXPAND_VOLUME,
    VOLUME_CONDITION,
    SINGLE_NODE_MULTI_WRITER,
    VOLUME_MOUNT_GROUP,
    GET_VOLUME_HEALTH,
    GET_STORAGE_HEALTH
}
