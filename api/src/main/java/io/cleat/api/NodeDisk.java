package io.cleat.api;

/** A node's disk for allocations, in MiB. */
public record NodeDisk(long DiskMB) {}
