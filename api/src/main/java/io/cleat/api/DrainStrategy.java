package io.cleat.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How a node is being drained; {@code Deadline} as in {@link DrainSpec}. */
public record DrainStrategy(
        long Deadline,
        @Nullable Instant ForceDeadline,
        boolean IgnoreSystemJobs,
        @Nullable Instant StartedAt) {}
