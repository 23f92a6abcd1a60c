package io.cleat.api;

import java.util.List;

/** What a registration or creation answers; every volume asked for is in it. */
public record CsiVolumeResponse(
        long Index,
        boolean KnownLeader,
        long LastContact,
        String NextToken,
        List<CsiVolume> Volumes,
        String Warnings) {}
