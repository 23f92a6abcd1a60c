package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.NodeEvent;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Says whether a node takes new allocations. What runs on it stays.
 *
 * @param seed a fresh id
 */
public record SetEligibility(String nodeId, boolean eligible, String seed) implements Command<NodeReply> {
    @Override
    public Decision<Change, NodeReply> decide(ClusterState newest, DecideContext context) {
        Optional<NodeRow> known = newest.node(nodeId);
        if (known.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("node not found"));
        }
        NodeRow node = known.get();
        if (eligible && node.isDraining()) {
            return Work.refuse(new Refusal.Conflict("can not set node's scheduling eligibility to eligible while it is"
                    + " draining; end the drain first: node drain -disable"));
        }
        if (eligible && node.isQuarantined()) {
            return Work.refuse(new Refusal.Conflict("node "
                    + node.name()
                    + " takes nothing new while it is quarantined; end that first: node quarantine "
                    + "-dismiss, or -accept"));
        }
        Work work = new Work(newest, context);
        if (node.eligible() != eligible) {
            String message = "Node marked as " + (eligible ? "eligible" : "ineligible") + " for scheduling";
            work.add(new Change.NodePut(node.withDrain(node.drain(), eligible)
                    .withEvents(List.of(new NodeEvent("Cluster", message, Map.of(), work.now())))));
            if (eligible) {
                Nodes.cameUp(work, nodeId, new NewIds(seed));
            }
        }
        return work.accept(new NodeReply(work.hasChanges() ? work.version() : 0));
    }
}
