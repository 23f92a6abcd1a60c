package io.cleat.csi;

import io.cleat.base.Ordered;
import io.cleat.base.Secrets;
import java.util.List;
import java.util.Map;

/**
 * Volumes to be snapshotted at one moment. The same name of the same volumes gives the same group.
 *
 * @param sourceVolumeIds at least one, each once
 * @param secrets the same in each call about the group
 */
public record GroupSnapshotOrder(
        String name, List<String> sourceVolumeIds, Map<String, String> parameters, Secrets secrets) {
    public GroupSnapshotOrder {
        sourceVolumeIds = List.copyOf(sourceVolumeIds);
        parameters = Ordered.copyOf(parameters);
        if (sourceVolumeIds.isEmpty() || sourceVolumeIds.stream().distinct().count() != sourceVolumeIds.size()) {
            throw new IllegalArgumentException("group snapshot "
                    + name
                    + " of volumes "
                    + sourceVolumeIds
                    + ", expected at least one and each once");
        }
    }
}
