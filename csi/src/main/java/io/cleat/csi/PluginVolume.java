package io.cleat.csi;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A volume as its plugin describes it.
 *
 * @param volumeId the provider's id, 1 to 1,024 bytes without control characters
 * @param capacityBytes 0 where not known
 * @param context opaque; goes back to the plugin with later calls
 * @param topologies where it can be reached from; empty for anywhere
 * @param source what it was made from, as far as the plugin says
 */
public record PluginVolume(
        String volumeId,
        long capacityBytes,
        SortedMap<String, String> context,
        List<Topology> topologies,
        ContentSource source) {
    public PluginVolume {
        context = Collections.unmodifiableSortedMap(new TreeMap<>(context));
        topologies = List.copyOf(topologies);
    }
}
