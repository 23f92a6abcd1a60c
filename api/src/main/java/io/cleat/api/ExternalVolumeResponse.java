package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of a plugin's own list of volumes; {@code NextToken} is the plugin's. */
public record ExternalVolumeResponse(
        long Index,
        boolean KnownLeader,
        long LastContact,
        String NextToken,
        @Nullable List<ExternalVolume> Volumes) {}
