package io.cleat.model;

/**
 * The allocation directory's disk.
 *
 * @param sizeMb MiB
 */
public record EphemeralDisk(long sizeMb, boolean sticky, boolean migrate) {}
