package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A volume as its plugin lists it; {@code CapacityBytes} in bytes. */
public record ExternalVolume(
        long CapacityBytes,
        String CloneID,
        String ExternalID,
        boolean IsAbnormal,
        @Nullable List<String> PublishedExternalNodeIDs,
        String SnapshotID,
        String Status,
        @Nullable Map<String, String> VolumeContext) {}
