package io.cleat.api;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node's last drain.
 *
 * @param Meta what its operator said about it
 * @param Status draining, complete or canceled
 */
public record LastDrain(
        String AccessorID,
        @Nullable Map<String, String> Meta,
        @Nullable Instant StartedAt,
        String Status,
        @Nullable Instant UpdatedAt) {}
