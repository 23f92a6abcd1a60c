package io.cleat.server.decide;

import io.cleat.model.NodeEvent;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node was not heard for longer than its heartbeat allows. Frees nothing: its allocations are placed elsewhere as far
 * as that needs no proof.
 *
 * @param why such as {@code heartbeat missed}
 * @param seed a fresh id
 */
public record NodeUnheard(String nodeId, String why, String seed) implements Command<NodeUnheard.Reply> {
    /** Known. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Optional<NodeRow> known = newest.node(nodeId);
        if (known.isPresent() && known.get().status() != NodeStatus.DOWN) {
            work.add(new Change.NodeStatusChanged(nodeId, NodeStatus.DOWN, why));
            work.add(new Change.NodeEventsAdded(
                    nodeId,
                    List.of(new NodeEvent("Cluster", "Node heartbeat missed", Map.of("reason", why), work.now()))));
            Nodes.wentDown(work, nodeId, new NewIds(seed));
        }
        return work.accept(new Reply());
    }
}
