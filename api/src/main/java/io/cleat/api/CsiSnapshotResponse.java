package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Snapshots that were made, or a page of a plugin's own list. */
public record CsiSnapshotResponse(
        long Index,
        boolean KnownLeader,
        long LastContact,
        String NextToken,
        @Nullable List<CsiSnapshot> Snapshots) {}
