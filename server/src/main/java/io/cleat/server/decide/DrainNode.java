package io.cleat.server.decide;

import io.cleat.base.Ordered;
import io.cleat.base.Refusal;
import io.cleat.model.NodeEvent;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeDrain;
import io.cleat.state.NodeRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Begins, changes or ends the draining of a node. While it goes on, and after it, the node takes nothing new;
 * {@link AdvanceDrain} does the rest.
 *
 * @param wish null to end it
 * @param markEligible when it ends, whether the node takes new allocations again
 * @param meta what the operator says about it
 * @param seed a fresh id
 */
public record DrainNode(String nodeId, @Nullable Wish wish, boolean markEligible, Map<String, String> meta, String seed)
        implements Command<NodeReply> {
    public DrainNode {
        meta = Ordered.copyOf(meta);
    }

    /**
     * How to drain.
     *
     * @param deadline from now on, until tasks that have not moved are stopped; zero for never, negative for at once
     * @param ignoresSystem whether allocations of system jobs stay
     */
    public record Wish(Duration deadline, boolean ignoresSystem) {}

    @Override
    public Decision<Change, NodeReply> decide(ClusterState newest, DecideContext context) {
        Optional<NodeRow> known = newest.node(nodeId);
        if (known.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("node not found"));
        }
        Work work = new Work(newest, context);
        if (wish == null) {
            end(work, known.get());
        } else {
            begin(work, known.get(), wish);
        }
        return work.accept(new NodeReply(work.hasChanges() ? work.version() : 0));
    }

    private void begin(Work work, NodeRow node, Wish wanted) {
        NodeDrain before = node.drain();
        Instant startedAt = before != null && node.isDraining() ? before.startedAt() : work.now();
        Duration deadline = wanted.deadline();
        Instant forceAt = deadline.isZero()
                ? null
                : deadline.isNegative() ? work.now() : work.now().plus(deadline);
        NodeDrain drain = new NodeDrain(
                NodeDrain.Status.DRAINING, deadline, wanted.ignoresSystem(), startedAt, forceAt, null, meta);
        put(work, node.withDrain(drain, false), "Node drain strategy set");
    }

    private void end(Work work, NodeRow node) {
        NodeDrain before = node.drain();
        if (before != null && node.isDraining()) {
            put(
                    work,
                    node.withDrain(before.ended(NodeDrain.Status.CANCELED, work.now()), markEligible),
                    "Node drain disabled");
        } else if (markEligible && !node.eligible()) {
            work.add(new Change.NodePut(node.withDrain(before, true)));
        }
        if (markEligible && work.hasChanges()) {
            Nodes.cameUp(work, nodeId, new NewIds(seed));
        }
    }

    private static void put(Work work, NodeRow node, String message) {
        work.add(new Change.NodePut(node.withEvents(List.of(new NodeEvent("Drain", message, Map.of(), work.now())))));
    }
}
