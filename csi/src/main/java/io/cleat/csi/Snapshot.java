package io.cleat.csi;

import java.time.Instant;
import java.util.List;

/**
 * A snapshot as its plugin describes it.
 *
 * @param snapshotId the provider's id, 1 to 1,024 bytes without control characters
 * @param sourceVolumeId the provider's id of the volume it is of, which may be gone by now
 * @param sizeBytes the least size of a volume made from it; 0 where not known
 * @param ready whether a volume can be made from it by now
 * @param groupId of the volume group snapshot without which it cannot be deleted; empty for none
 * @param topologies where it can be reached from; empty for anywhere
 */
public record Snapshot(
        String snapshotId,
        String sourceVolumeId,
        long sizeBytes,
        Instant createdAt,
        boolean ready,
        String groupId,
        List<Topology> topologies) {
    public Snapshot {
        topologies = List.copyOf(topologies);
    }
}
