package io.cleat.csi;

import io.cleat.base.Ordered;
import io.cleat.base.Secrets;
import java.util.List;
import java.util.Map;

/**
 * A snapshot to be made. The same name of the same volume gives the same snapshot.
 *
 * @param requisite the snapshot must be reachable from one of these; empty for anywhere, and not empty only for a
 *     plugin with SNAPSHOT_ACCESSIBILITY_CONSTRAINTS
 * @param preferred in order of preference
 */
public record SnapshotOrder(
        String sourceVolumeId,
        String name,
        Map<String, String> parameters,
        Secrets secrets,
        List<Topology> requisite,
        List<Topology> preferred) {
    public SnapshotOrder {
        parameters = Ordered.copyOf(parameters);
        requisite = List.copyOf(requisite);
        preferred = List.copyOf(preferred);
    }

    /** An order without parameters, secrets and topology. */
    public static SnapshotOrder of(String sourceVolumeId, String name) {
        return new SnapshotOrder(sourceVolumeId, name, Map.of(), Secrets.none(), List.of(), List.of());
    }
}
