package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** How a failed allocation is placed again. Durations in ns. */
public record ReschedulePolicy(
        @Nullable Integer Attempts,
        @Nullable Long Delay,
        @Nullable String DelayFunction,
        @Nullable Long Interval,
        @Nullable Long MaxDelay,
        @Nullable Boolean Unlimited) {}
