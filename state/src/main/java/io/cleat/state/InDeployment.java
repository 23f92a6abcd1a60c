package io.cleat.state;

/**
 * An allocation's part in a deployment.
 *
 * @param canary whether it was placed beside the allocation of its index, to be tried first
 */
public record InDeployment(String id, boolean canary) {}
