package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** How long changes of a template are gathered. Durations in ns; the longest is 4 times the least. */
public record WaitConfig(@Nullable Long Max, @Nullable Long Min) {}
