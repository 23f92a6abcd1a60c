package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node with everything it told about itself. {@code StatusUpdatedAt} in s since the epoch. */
public record Node(
        Map<String, String> Attributes,
        Map<String, PluginInstance> CSIControllerPlugins,
        Map<String, PluginInstance> CSINodePlugins,
        String CgroupParent,
        String ComputedClass,
        long CreateIndex,
        String Datacenter,
        boolean Drain,
        @Nullable DrainStrategy DrainStrategy,
        Map<String, NodeDriver> Drivers,
        @Nullable List<NodeEvent> Events,
        boolean GCVolumesOnNodeGC,
        String HTTPAddr,
        @Nullable Map<String, NodeHostNetwork> HostNetworks,
        @Nullable Map<String, NodeHostVolume> HostVolumes,
        String ID,
        String IdentitySigningKeyID,
        long LastAllocUpdateIndex,
        @Nullable LastDrain LastDrain,
        long LastMissedHeartbeatIndex,
        @Nullable Map<String, String> Links,
        @Nullable Map<String, String> Meta,
        long ModifyIndex,
        String Name,
        String NodeClass,
        int NodeMaxAllocs,
        String NodePool,
        @Nullable NodeResources NodeResources,
        @Nullable NodeReserved ReservedResources,
        String SchedulingEligibility,
        String SecretID,
        String Status,
        String StatusDescription,
        long StatusUpdatedAt,
        boolean TLSEnabled) {
    /** What the description of a node's status begins with while it is quarantined. */
    public static final String QUARANTINED = "quarantined: ";
}
