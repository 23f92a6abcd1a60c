package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** Brings an older version of a job back. */
public record JobRevertRequest(@Nullable Long EnforcePriorVersion, String JobID, long JobVersion) {}
