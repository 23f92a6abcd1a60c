package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node as a list shows it. */
public record NodeStub(
        String Address,
        long CreateIndex,
        String Datacenter,
        boolean Drain,
        Map<String, NodeDriver> Drivers,
        @Nullable Map<String, NodeHostVolume> HostVolumes,
        String ID,
        @Nullable LastDrain LastDrain,
        long ModifyIndex,
        String Name,
        String NodeClass,
        String NodePool,
        @OmitEmpty @Nullable NodeResources NodeResources,
        @OmitEmpty @Nullable NodeReserved ReservedResources,
        String SchedulingEligibility,
        String Status,
        String StatusDescription,
        String Version) {}
