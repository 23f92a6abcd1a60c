package io.cleat.csi;

/** What a plugin as a whole offers (CSI 1.13, PluginCapability). */
public enum PluginCapability {
    CONTROLLER_SERVICE,
    VOLUME_ACCESSIBILITY_CONSTRAINTS,
    GROUP_CONTROLLER_SERVICE,
    SNAPSHOT_METADATA_SERVICE,
    SNAPSHOT_ACCESSIBILITY_CONSTRAINTS,
    /** Volumes grow while published. */
    ONLINE_EXPANSION,
    /** Volumes grow while published nowhere. */
    OFFLINE_EXPANSION
}
