package io.cleat.api;

import io.cleat.base.Secrets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A CSI volume, as clients send it and as the server shows it. {@code AccessMode} and {@code AttachmentMode} are the
 * current ones, empty while unclaimed. Sizes in bytes, times in ns since the epoch. In an answer {@code Secrets} is
 * null; {@code ReadAllocs} and {@code WriteAllocs} have the ids of allocations as keys and null as every value.
 */
public record CsiVolume(
        String AccessMode,
        List<AllocationStub> Allocations,
        String AttachmentMode,
        long Capacity,
        String CloneID,
        @Nullable Map<String, String> Context,
        boolean ControllerRequired,
        int ControllersExpected,
        int ControllersHealthy,
        long CreateIndex,
        long CreateTime,
        String ExternalID,
        String ID,
        long ModifyIndex,
        long ModifyTime,
        @Nullable CsiMountOptions MountOptions,
        String Name,
        String Namespace,
        int NodesExpected,
        int NodesHealthy,
        @Nullable Map<String, String> Parameters,
        String PluginID,
        String Provider,
        String ProviderVersion,
        Map<String, @Nullable Object> ReadAllocs,
        @Nullable List<CsiCapability> RequestedCapabilities,
        long RequestedCapacityMax,
        long RequestedCapacityMin,
        @Nullable CsiTopologyRequest RequestedTopologies,
        @Nullable Instant ResourceExhausted,
        boolean Schedulable,
        @Nullable Secrets Secrets,
        String SnapshotID,
        @Nullable List<@Nullable CsiTopology> Topologies,
        Map<String, @Nullable Object> WriteAllocs) {}
