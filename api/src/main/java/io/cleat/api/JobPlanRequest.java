package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** The body of a dry run. */
public record JobPlanRequest(boolean Diff, @Nullable Job Job, boolean PolicyOverride) {}
