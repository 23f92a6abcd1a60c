package io.cleat.model;

/**
 * A port of a node that an allocation was given.
 *
 * @param label of the group's {@link PortRequest}
 * @param value the node's port
 * @param to the port within the allocation's own network; 0 for the same
 * @param hostIp the node's address of which it is a port
 * @param ignoreCollision whether others may have it too
 */
public record AllocatedPort(String label, int value, int to, String hostIp, boolean ignoreCollision) {
    /** The port within the allocation's own network. */
    public int inside() {
        return to > 0 ? to : value;
    }

    /** Whether both are the same port of the same address, and one of them minds. */
    public boolean collidesWith(AllocatedPort other) {
        return value == other.value && hostIp.equals(other.hostIp) && !(ignoreCollision && other.ignoreCollision);
    }
}
