package io.cleat.api;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Something that happened to a node. */
public record NodeEvent(
        long CreateIndex,
        @Nullable Map<String, String> Details,
        String Message,
        String Subsystem,
        @Nullable Instant Timestamp) {}
