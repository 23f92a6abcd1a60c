package io.cleat.api;

/** Says whether a version of a job is one to go back to. */
public record JobStabilityRequest(String JobID, long JobVersion, boolean Stable) {}
