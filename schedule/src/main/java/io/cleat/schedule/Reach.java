package io.cleat.schedule;

import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeStatus;

/** Whether an allocation's node can still be heard. */
final class Reach {
    private Reach() {}

    static boolean isLost(ClusterState state, AllocationRow allocation) {
        return state.node(allocation.nodeId())
                .map(node -> node.status() == NodeStatus.DOWN)
                .orElse(true);
    }
}
