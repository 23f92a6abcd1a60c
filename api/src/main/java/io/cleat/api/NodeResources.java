package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** What a node has. */
public record NodeResources(
        NodeCpu Cpu,
        @Nullable RawJson Devices,
        NodeDisk Disk,
        int MaxDynamicPort,
        NodeMemory Memory,
        int MinDynamicPort,
        @Nullable RawJson Networks,
        @Nullable RawJson NodeNetworks,
        @Nullable RawJson Processors) {}
