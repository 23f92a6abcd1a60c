package io.cleat.api;

/** A node's memory, in MiB. */
public record NodeMemory(long MemoryMB) {}
