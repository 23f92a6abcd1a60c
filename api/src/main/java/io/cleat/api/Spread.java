package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Over which attribute of nodes allocations are to be spread.
 *
 * @param Weight 1 to 100; 50 by default
 */
public record Spread(
        String Attribute,
        @Nullable List<SpreadTarget> SpreadTarget,
        @Nullable Integer Weight) {}
