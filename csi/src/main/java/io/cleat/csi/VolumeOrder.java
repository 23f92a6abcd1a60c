package io.cleat.csi;

import io.cleat.base.Secrets;
import java.util.List;
import java.util.Map;

/**
 * A volume to be made. The same name with the same properties gives the same volume.
 *
 * @param uses at least one; the volume must serve each
 * @param requisite the volume must be reachable from one of these; empty for anywhere
 * @param preferred in order of preference
 */
public record VolumeOrder(
        String name,
        CapacityRange capacity,
        List<VolumeUse> uses,
        Map<String, String> parameters,
        Secrets secrets,
        List<Topology> requisite,
        List<Topology> preferred) {
    public VolumeOrder {
        uses = List.copyOf(uses);
        parameters = Map.copyOf(parameters);
        requisite = List.copyOf(requisite);
        preferred = List.copyOf(preferred);
    }

    /** An order without parameters, secrets and topology. */
    public static VolumeOrder of(String name, CapacityRange capacity, VolumeUse use) {
        return new VolumeOrder(
                name, capacity, List.of(use), Map.of(), Secrets.none(), List.of(), List.of());
    }
}
