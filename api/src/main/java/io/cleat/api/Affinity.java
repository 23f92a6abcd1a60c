package io.cleat.api;

import org.jspecify.annotations.Nullable;

/**
 * What a node should satisfy, or should not.
 *
 * @param Weight -100 to 100, not 0; 50 by default
 */
public record Affinity(
        String LTarget,
        String Operand,
        String RTarget,
        @Nullable Integer Weight) {}
