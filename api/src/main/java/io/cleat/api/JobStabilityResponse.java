package io.cleat.api;

/** What a change of a version's stability answers. */
public record JobStabilityResponse(long Index, long JobModifyIndex) {}
