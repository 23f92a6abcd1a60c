package io.cleat.api;

import io.cleat.model.HostVolumeNames;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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

    /** The versions of the plugins that make host volumes there, by name. */
    public SortedMap<String, String> hostVolumePlugins() {
        SortedMap<String, String> versions = new TreeMap<>();
        for (Map.Entry<String, String> each : JobConversion.mapOf(Attributes).entrySet()) {
            HostVolumeNames.pluginOf(each.getKey()).ifPresent(name -> versions.put(name, each.getValue()));
        }
        return versions;
    }
}
