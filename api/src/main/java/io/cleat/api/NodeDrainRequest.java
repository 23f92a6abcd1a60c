package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Drains a node, or ends that.
 *
 * @param DrainSpec null to end it
 * @param MarkEligible when it ends, whether the node takes new allocations again
 */
public record NodeDrainRequest(
        @Nullable DrainSpec DrainSpec,
        boolean MarkEligible,
        @Nullable Map<String, String> Meta,
        String NodeID) {}
