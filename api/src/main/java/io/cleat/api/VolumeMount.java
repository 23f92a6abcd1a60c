package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** Where a task sees a volume of its group. */
public record VolumeMount(
        @Nullable String Destination,
        @Nullable String PropagationMode,
        @Nullable Boolean ReadOnly,
        @Nullable String SELinuxLabel,
        @Nullable String Volume) {}
