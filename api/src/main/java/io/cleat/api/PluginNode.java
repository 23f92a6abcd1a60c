package io.cleat.api;

import org.jspecify.annotations.Nullable;

/**
 * What a plugin's node service said; {@code ID} is the node's id at the provider, {@code MaxVolumes} is 2^63-1 when it
 * set no limit.
 */
public record PluginNode(
        @Nullable CsiTopology AccessibleTopology,
        String ID,
        long MaxVolumes,
        boolean RequiresNodeStageVolume,
        boolean SupportsCondition,
        boolean SupportsExpand,
        boolean SupportsStats) {}
