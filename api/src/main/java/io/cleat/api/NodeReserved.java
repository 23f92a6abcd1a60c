package io.cleat.api;

/** What a node keeps for itself. */
public record NodeReserved(ReservedCpu Cpu, NodeDisk Disk, NodeMemory Memory, ReservedPorts Networks) {}
