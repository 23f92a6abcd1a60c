package io.cleat.api;

/** What the deletion of a host volume answers. */
public record HostVolumeDeleteResponse(long Index) {}
