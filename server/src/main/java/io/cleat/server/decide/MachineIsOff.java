package io.cleat.server.decide;

import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import java.util.Optional;

/**
 * A person's word that a node's machine is off, given by the node's name, so that no habit gives it.
 *
 * @param said the name or id of the node; empty for no such word
 */
record MachineIsOff(String said) {
    boolean isGiven() {
        return !said.isEmpty();
    }

    /** Why the word is not one for this node; empty if it is, or if none is given. */
    Optional<String> fault(ClusterState state, String nodeId) {
        String name = name(state, nodeId);
        return !isGiven() || said.equals(nodeId) || said.equals(name)
                ? Optional.empty()
                : Optional.of("the machine that is said to be off is "
                        + said
                        + ", and the node is "
                        + name
                        + " ("
                        + nodeId
                        + ")");
    }

    /** The flag that gives the word. */
    static String flag(ClusterState state, String nodeId) {
        return "-machine-is-off=" + name(state, nodeId);
    }

    static boolean isHeard(ClusterState state, String nodeId) {
        return state.node(nodeId).map(node -> node.status() == NodeStatus.READY).orElse(false);
    }

    private static String name(ClusterState state, String nodeId) {
        return Nodes.everKnown(state, nodeId).map(NodeRow::name).orElse(nodeId);
    }
}
