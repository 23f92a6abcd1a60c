package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** How a new version of a job replaces the old one. Durations in ns. */
public record UpdateStrategy(
        @Nullable Boolean AutoPromote,
        @Nullable Boolean AutoRevert,
        @Nullable Integer Canary,
        @Nullable String HealthCheck,
        @Nullable Long HealthyDeadline,
        @Nullable Integer MaxParallel,
        @Nullable Long MinHealthyTime,
        @Nullable Long ProgressDeadline,
        @Nullable Long Stagger) {}
