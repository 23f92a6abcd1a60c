package io.cleat.api;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A task driver of a node. */
public record NodeDriver(
        @Nullable Map<String, String> Attributes,
        boolean Detected,
        String HealthDescription,
        boolean Healthy,
        @Nullable Instant UpdateTime) {}
