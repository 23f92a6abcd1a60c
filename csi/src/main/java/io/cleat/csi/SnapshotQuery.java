package io.cleat.csi;

import io.cleat.base.Secrets;

/**
 * Which snapshots to list.
 *
 * @param maxEntries 0 for no limit; a plugin may ignore it
 * @param startingToken of the page before; empty for the first
 * @param sourceVolumeId only those of this volume; empty for any
 * @param snapshotId only this one; empty for any
 */
public record SnapshotQuery(
        int maxEntries, String startingToken, String sourceVolumeId, String snapshotId, Secrets secrets) {
    public SnapshotQuery {
        if (maxEntries < 0) {
            throw new IllegalArgumentException(maxEntries + " entries, expected 0 or more");
        }
    }

    /** All snapshots, from the first. */
    public static SnapshotQuery all() {
        return new SnapshotQuery(0, "", "", "", Secrets.none());
    }
}
