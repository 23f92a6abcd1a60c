package io.cleat.api;

import org.jspecify.annotations.Nullable;

/**
 * A group was scaled, or something was said about that.
 *
 * @param Count how many allocations are wanted since then; null if that was left as it was
 * @param EvalID the evaluation that it started; null for none
 * @param Time ns since 1970
 */
public record ScalingEvent(
        @Nullable Long Count,
        long CreateIndex,
        boolean Error,
        @Nullable String EvalID,
        String Message,
        @Nullable RawJson Meta,
        long PreviousCount,
        long Time) {}
