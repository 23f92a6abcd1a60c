package io.cleat.csi;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A page of a plugin's volumes.
 *
 * @param nextToken empty after the last page
 */
public record VolumePage(List<Entry> entries, String nextToken) {
    public VolumePage {
        entries = List.copyOf(entries);
    }

    /**
     * @param publishedNodeIds the provider's names of the nodes it is attached to; only from a
     *     controller with LIST_VOLUMES_PUBLISHED_NODES
     */
    public record Entry(PluginVolume volume, SortedSet<String> publishedNodeIds) {
        public Entry {
            publishedNodeIds = Collections.unmodifiableSortedSet(new TreeSet<>(publishedNodeIds));
        }
    }
}
