package io.cleat.csi;

import io.cleat.base.Ordered;
import io.cleat.base.Secrets;
import java.util.List;
import java.util.Map;

/**
 * A volume to be made. The same name with the same properties gives the same volume.
 *
 * @param uses at least one; the volume must serve each
 * @param requisite the volume must be reachable from one of these; empty for anywhere
 * @param preferred in order of preference
 * @param mutableParameters those that may be changed later; not empty only for a controller with MODIFY_VOLUME
 */
public record VolumeOrder(
        String name,
        CapacityRange capacity,
        List<VolumeUse> uses,
        Map<String, String> parameters,
        Secrets secrets,
        List<Topology> requisite,
        List<Topology> preferred,
        ContentSource source,
        Map<String, String> mutableParameters) {
    public VolumeOrder {
        uses = List.copyOf(uses);
        parameters = Ordered.copyOf(parameters);
        requisite = List.copyOf(requisite);
        preferred = List.copyOf(preferred);
        mutableParameters = Ordered.copyOf(mutableParameters);
    }

    /** An order of an empty volume, without parameters, secrets and topology. */
    public static VolumeOrder of(String name, CapacityRange capacity, VolumeUse use) {
        return new VolumeOrder(
                name,
                capacity,
                List.of(use),
                Map.of(),
                Secrets.none(),
                List.of(),
                List.of(),
                ContentSource.EMPTY,
                Map.of());
    }
}
