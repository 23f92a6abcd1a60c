package io.cleat.csi;

import java.util.List;

/**
 * A page of a plugin's snapshots.
 *
 * @param nextToken empty after the last page
 */
public record SnapshotPage(List<Snapshot> snapshots, String nextToken) {
    public SnapshotPage {
        snapshots = List.copyOf(snapshots);
    }
}
