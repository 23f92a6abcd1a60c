package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** A group's wish for a volume. */
public record VolumeRequest(
        String AccessMode,
        String AttachmentMode,
        @Nullable CsiMountOptions MountOptions,
        String Name,
        boolean PerAlloc,
        boolean ReadOnly,
        String Source,
        boolean Sticky,
        String Type) {}
