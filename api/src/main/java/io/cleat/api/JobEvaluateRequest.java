package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** The body of a request to evaluate a job. */
public record JobEvaluateRequest(String JobID, @Nullable Options EvalOptions) {
    /** {@code ForceReschedule} places failed allocations anew now, whatever their policy. */
    public record Options(boolean ForceReschedule) {}
}
