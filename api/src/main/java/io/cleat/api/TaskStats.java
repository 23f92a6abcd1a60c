package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** What one task uses now; {@code Timestamp} in ns since the epoch. */
public record TaskStats(@Nullable RawJson Pids, ResourceUsage ResourceUsage, long Timestamp) {}
