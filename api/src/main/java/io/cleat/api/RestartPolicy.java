package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** How a failed task is started again on its node. Durations in ns. */
public record RestartPolicy(
        @Nullable Integer Attempts,
        @Nullable Long Delay,
        @Nullable Long Interval,
        @Nullable String Mode,
        @Nullable Boolean RenderTemplates) {}
