package io.cleat.api;

/**
 * How a node is to be drained.
 *
 * @param Deadline in ns: until tasks that have not moved are stopped; 0 for never, negative for at once
 * @param IgnoreSystemJobs whether allocations of system jobs stay
 */
public record DrainSpec(long Deadline, boolean IgnoreSystemJobs) {}
