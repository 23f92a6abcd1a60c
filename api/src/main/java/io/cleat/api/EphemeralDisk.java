package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** The disk space of an allocation; {@code SizeMB} in MiB. */
public record EphemeralDisk(
        @Nullable Boolean Migrate,
        @Nullable Integer SizeMB,
        @Nullable Boolean Sticky) {}
