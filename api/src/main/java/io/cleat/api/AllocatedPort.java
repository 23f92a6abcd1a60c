package io.cleat.api;

/**
 * A port of its node that an allocation was given.
 *
 * @param HostIP the node's address of which it is a port
 * @param To the port within the allocation's own network; 0 for the same
 * @param Value the node's port
 */
public record AllocatedPort(String HostIP, boolean IgnoreCollision, String Label, int To, int Value) {}
