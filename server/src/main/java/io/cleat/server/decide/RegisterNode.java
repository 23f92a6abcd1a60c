package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.NodeEvent;
import io.cleat.model.NodeFacts;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.NodeTombstone;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node says who it is, at the beginning of each connection.
 *
 * @param secretDigest SHA-256, in hex, of the secret it proves itself with; the first one stays
 * @param seed a fresh id
 */
public record RegisterNode(NodeFacts facts, String secretDigest, String seed)
        implements Command<RegisterNode.Reply> {
    /**
     * @param isNew whether the node was not known before
     */
    public record Reply(boolean isNew) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Optional<NodeRow> known = newest.node(facts.id());
        Optional<NodeRow> before =
                known.or(() -> newest.nodeTombstone(facts.id()).map(NodeTombstone::node));
        if (before.isPresent() && !before.get().secretDigest().equals(secretDigest)) {
            return Work.refuse(
                    new Refusal.Forbidden(
                            "node secret ID does not match: node "
                                    + facts.id()
                                    + " is registered with another secret; if this machine is to be"
                                    + " a new node, remove the node's state directory first"));
        }
        boolean comes = known.isEmpty() || known.get().status() != NodeStatus.READY;
        String message = known.isEmpty() ? "Node registered" : "Node re-registered";
        NodeRow row =
                known.orElseGet(
                                () ->
                                        new NodeRow(
                                                facts,
                                                NodeStatus.INITIALIZING,
                                                "",
                                                true,
                                                secretDigest,
                                                work.now(),
                                                List.of(),
                                                null,
                                                0,
                                                0))
                        .withFacts(facts)
                        .withStatus(NodeStatus.READY, "ready", work.now());
        if (comes) {
            row = row.withEvents(List.of(new NodeEvent("Cluster", message, Map.of(), work.now())));
        }
        if (!known.equals(Optional.of(row))) {
            work.add(new Change.NodePut(row));
        }
        NewIds ids = new NewIds(seed);
        Nodes.changed(work, before.map(NodeRow::facts), facts, comes, ids);
        return work.accept(new Reply(known.isEmpty()));
    }
}
