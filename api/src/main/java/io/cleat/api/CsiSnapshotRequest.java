package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of a request to make snapshots: one, usually. */
public record CsiSnapshotRequest(@Nullable List<CsiSnapshot> Snapshots) {}
