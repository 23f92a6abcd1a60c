package io.cleat.csi;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A volume as its plugin describes it, and how it is now.
 *
 * @param publishedNodeIds the provider's names of the nodes it is attached to; only from a controller with
 *     LIST_VOLUMES_PUBLISHED_NODES
 * @param condition only from a controller with VOLUME_CONDITION
 */
public record VolumeStatus(
        PluginVolume volume, SortedSet<String> publishedNodeIds, Optional<VolumeCondition> condition) {
    public VolumeStatus {
        publishedNodeIds = Collections.unmodifiableSortedSet(new TreeSet<>(publishedNodeIds));
    }
}
