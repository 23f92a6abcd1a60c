package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** How allocations leave a draining node. Durations in ns. */
public record MigrateStrategy(
        @Nullable String HealthCheck,
        @Nullable Long HealthyDeadline,
        @Nullable Integer MaxParallel,
        @Nullable Long MinHealthyTime) {}
