package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** How a task's output is kept. {@code Enabled} is the old opposite of {@code Disabled}. */
public record LogConfig(
        @Nullable Boolean Disabled,
        @OmitEmpty @Nullable Boolean Enabled,
        @Nullable Integer MaxFileSizeMB,
        @Nullable Integer MaxFiles) {}
