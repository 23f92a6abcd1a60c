package io.cleat.api;

/** Memory in MiB. */
public record AllocatedMemory(long MemoryMB, long MemoryMaxMB) {}
