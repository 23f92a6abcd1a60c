package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a node has. */
public record NodeResources(
        NodeCpu Cpu,
        @Nullable RawJson Devices,
        NodeDisk Disk,
        int MaxDynamicPort,
        NodeMemory Memory,
        int MinDynamicPort,
        @Nullable List<NodeIp> Networks,
        @Nullable List<NodeInterface> NodeNetworks,
        @Nullable RawJson Processors) {}
