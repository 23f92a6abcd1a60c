package io.cleat.api;

/** What the creation or registration of a host volume answers. */
public record HostVolumeResponse(long Index, HostVolume Volume, String Warnings) {}
