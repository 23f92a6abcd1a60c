package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of a registration or creation: one volume, usually. */
public record CsiVolumeRequest(
        String Namespace,
        boolean PolicyOverride,
        String Region,
        @Nullable List<CsiVolume> Volumes) {}
