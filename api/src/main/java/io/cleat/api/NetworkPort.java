package io.cleat.api;

/**
 * A port of a group's network.
 *
 * @param HostNetwork {@code default} by default
 * @param To the port within the group's own network; 0 or -1 for the same as the node's
 * @param Value the node's port; 0 in a job for any
 */
public record NetworkPort(String HostNetwork, boolean IgnoreCollision, String Label, int To, int Value) {}
