package io.cleat.model;

import io.cleat.base.Since;

/** Who may use a volume at the same time, and how (CSI specification, VolumeCapability.AccessMode). */
public enum AccessMode implements WireNamed {
    SINGLE_NODE_READER_ONLY("single-node-reader-only", 2),
    SINGLE_NODE_WRITER("single-node-writer", 1),
    MULTI_NODE_READER_ONLY("multi-node-reader-only", 3),
    MULTI_NODE_SINGLE_WRITER("multi-node-single-writer", 4),
    MULTI_NODE_MULTI_WRITER("multi-node-multi-writer", 5),
    /** Only of a plugin with the capability of this name (CSI 1.5 and later). */
    @Since(5)
    SINGLE_NODE_MULTI_WRITER("single-node-multi-writer", 7),
    /** Only of host volumes. */
    @Since(13)
    SINGLE_NODE_SINGLE_WRITER("single-node-single-writer", 6);

    private final String wire;
    private final int csiNumber;

    AccessMode(String wire, int csiNumber) {
        this.wire = wire;
        this.csiNumber = csiNumber;
    }

    @Override
    public String wire() {
        return wire;
    }

    /** The number of the mode in the CSI specification. */
    public int csiNumber() {
        return csiNumber;
    }

    /** Whether some claim of this mode may write. */
    public boolean allowsWriting() {
        return this != SINGLE_NODE_READER_ONLY && this != MULTI_NODE_READER_ONLY;
    }

    /** Whether at most one allocation may write. */
    public boolean isSingleWriter() {
        return switch (this) {
            case SINGLE_NODE_WRITER, SINGLE_NODE_SINGLE_WRITER, MULTI_NODE_SINGLE_WRITER -> true;
            case SINGLE_NODE_READER_ONLY, SINGLE_NODE_MULTI_WRITER, MULTI_NODE_READER_ONLY, MULTI_NODE_MULTI_WRITER ->
                false;
        };
    }

    /** Whether CSI volumes are used like this; else host volumes alone are. */
    public boolean isForCsi() {
        return this != SINGLE_NODE_SINGLE_WRITER;
    }

    /** Whether all granted claims must be on one node. */
    public boolean isSingleNode() {
        return switch (this) {
            case SINGLE_NODE_READER_ONLY, SINGLE_NODE_WRITER, SINGLE_NODE_SINGLE_WRITER, SINGLE_NODE_MULTI_WRITER ->
                true;
            case MULTI_NODE_READER_ONLY, MULTI_NODE_SINGLE_WRITER, MULTI_NODE_MULTI_WRITER -> false;
        };
    }
}
