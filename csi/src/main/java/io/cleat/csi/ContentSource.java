package io.cleat.csi;

/** What a new volume starts as. */
public sealed interface ContentSource {
    /** With nothing in it. */
    record Empty() implements ContentSource {}

    /** As a snapshot; only at a controller with CREATE_DELETE_SNAPSHOT. */
    record FromSnapshot(String snapshotId) implements ContentSource {}

    /** As another volume is now; only at a controller with CLONE_VOLUME. */
    record FromVolume(String volumeId) implements ContentSource {}

    ContentSource EMPTY = new Empty();
}
