package io.cleat.model;

/**
 * A condition that a node should meet, or should not.
 *
 * @param weight how much it counts beside others, -100 to 100, not 0; below 0 for nodes to be kept away from
 */
public record Affinity(Constraint condition, int weight) {}
