package io.cleat.api;

/** Counts of one group's allocations. */
public record TaskGroupSummary(
        int Complete, int Failed, int Lost, int Queued, int Running, int Starting, int Unknown) {}
