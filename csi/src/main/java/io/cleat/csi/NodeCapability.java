package io.cleat.csi;

/** What a node service offers (CSI 1.13, NodeServiceCapability.RPC). */
public enum NodeCapability {
    STAGE_UNSTAGE_VOLUME,
    GET_VOLUME_STATS,
    EXPAND_VOLUME,
    /** Of CSI 1.12 and older: the condition of a volume comes with its statistics. */
    VOLUME_CONDITION,
    SINGLE_NODE_MULTI_WRITER,
    VOLUME_MOUNT_GROUP,
    GET_VOLUME_HEALTH,
    GET_STORAGE_HEALTH
}
