package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import java.util.Optional;

/**
 * Forgets a node that is down, as is done with each after a day. What it may still hold stays excluded until that is
 * proved or given up; the node may come back, and is known again then.
 */
public record PurgeNode(String nodeId) implements Command<NodeReply> {
    @Override
    public Decision<Change, NodeReply> decide(ClusterState newest, DecideContext context) {
        Optional<NodeRow> known = newest.node(nodeId);
        if (known.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("node not found"));
        }
        NodeRow node = known.get();
        if (node.status() != NodeStatus.DOWN) {
            return Work.refuse(new Refusal.Conflict("node "
                    + node.name()
                    + " is "
                    + node.status().wire()
                    + ", and would be back at once: drain it, end its agent, and purge it when it is down"));
        }
        int open = newest.openAllocationsOnNode(nodeId).size();
        if (open > 0) {
            return Work.refuse(new Refusal.Conflict("node "
                    + node.name()
                    + " has "
                    + open
                    + " allocations that are not said to be lost yet: purge it in a moment"));
        }
        Work work = new Work(newest, context);
        work.add(Nodes.removal(newest, nodeId));
        return work.accept(new NodeReply(work.version()));
    }
}
