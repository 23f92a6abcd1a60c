package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is fetched for a task. */
public record Artifact(
        boolean Chown,
        @Nullable Map<String, String> GetterHeaders,
        boolean GetterInsecure,
        @Nullable String GetterMode,
        @Nullable Map<String, String> GetterOptions,
        String GetterSource,
        @Nullable String RelativeDest) {}
