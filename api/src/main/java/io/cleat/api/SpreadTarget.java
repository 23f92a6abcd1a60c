package io.cleat.api;

/** How many percent of the allocations are wanted on nodes of a value. */
public record SpreadTarget(int Percent, String Value) {}
