package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** The body that creates or registers a host volume. */
public record HostVolumeRequest(
        boolean PolicyOverride, @Nullable HostVolume Volume) {}
