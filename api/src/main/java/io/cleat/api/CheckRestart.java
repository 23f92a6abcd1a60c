package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** When a failing check has its task started again. {@code Grace} in ns, 1 s by default; {@code Limit} 0 for never. */
public record CheckRestart(@Nullable Long Grace, boolean IgnoreWarnings, int Limit) {}
