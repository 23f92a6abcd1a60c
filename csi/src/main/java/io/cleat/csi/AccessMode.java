package io.cleat.csi;

/** Who may use a volume, where and how (CSI 1.13, VolumeCapability.AccessMode). */
public enum AccessMode {
    SINGLE_NODE_WRITER,
    SINGLE_NODE_READER_ONLY,
    MULTI_NODE_READER_ONLY,
    MULTI_NODE_SINGLE_WRITER,
    MULTI_NODE_MULTI_WRITER,
    /** Only for a plugin with SINGLE_NODE_MULTI_WRITER. */
    SINGLE_NODE_SINGLE_WRITER,
    /** Only for a plugin with SINGLE_NODE_MULTI_WRITER. */
    SINGLE_NODE_MULTI_WRITER
}
