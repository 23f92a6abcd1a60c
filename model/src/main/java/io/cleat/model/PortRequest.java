package io.cleat.model;

/**
 * A port that a group wants of its node.
 *
 * @param value 1 to 65535; 0 for any that is free in the node's range
 * @param to the port within the group's own network; 0 or less for the same as of the node
 * @param hostNetwork of which of the node's networks; {@link #DEFAULT} for the usual
 * @param ignoreCollision whether others may have the same port: for tasks that share one
 */
public record PortRequest(String label, int value, int to, String hostNetwork, boolean ignoreCollision) {
    /** The network of a node that has the address by which it is known. */
    public static final String DEFAULT = "default";

    /** Whether it is a certain port. */
    public boolean isStatic() {
        return value > 0;
    }
}
