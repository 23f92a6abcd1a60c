package io.cleat.csi;

import java.time.Instant;
import java.util.List;

/**
 * Snapshots of several volumes at one moment, as their plugin describes them.
 *
 * @param groupId the provider's id, 1 to 1,024 bytes without control characters
 * @param snapshots at least one
 * @param ready whether volumes can be made from all of them by now
 */
public record GroupSnapshot(String groupId, List<Snapshot> snapshots, Instant createdAt, boolean ready) {
    public GroupSnapshot {
        snapshots = List.copyOf(snapshots);
    }

    /** The ids of its snapshots, which each later call about the group wants to hear. */
    public List<String> snapshotIds() {
        return snapshots.stream().map(Snapshot::snapshotId).toList();
    }
}
