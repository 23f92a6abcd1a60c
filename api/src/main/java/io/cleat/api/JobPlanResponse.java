package io.cleat.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a registration would do. */
public record JobPlanResponse(
        @Nullable PlanAnnotations Annotations,
        @Nullable List<Evaluation> CreatedEvals,
        @Nullable JobDiff Diff,
        @Nullable Map<String, AllocMetric> FailedTGAllocs,
        long Index,
        long JobModifyIndex,
        @Nullable Instant NextPeriodicLaunch,
        String Warnings) {}
