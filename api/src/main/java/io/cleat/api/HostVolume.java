package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A dynamic host volume.
 *
 * @param Allocations that use it
 * @param BlockedBy what its node has not answered yet, and why; only there while that is so
 * @param CapacityBytes as its plugin says; 0 if it does not
 * @param CreateTime nanoseconds since 1970
 * @param ModifyTime nanoseconds since 1970
 * @param State {@code pending}, {@code ready} or {@code unavailable}
 */
public record HostVolume(
        @OmitEmpty @Nullable List<AllocationStub> Allocations,
        @OmitEmpty VolumeWhy.@Nullable Waiting BlockedBy,
        long CapacityBytes,
        @OmitEmpty @Nullable List<Constraint> Constraints,
        long CreateIndex,
        long CreateTime,
        String HostPath,
        String ID,
        long ModifyIndex,
        long ModifyTime,
        String Name,
        String Namespace,
        String NodeID,
        String NodePool,
        @OmitEmpty @Nullable Map<String, String> Parameters,
        String PluginID,
        @Nullable List<CsiCapability> RequestedCapabilities,
        long RequestedCapacityMaxBytes,
        long RequestedCapacityMinBytes,
        String State) {}
