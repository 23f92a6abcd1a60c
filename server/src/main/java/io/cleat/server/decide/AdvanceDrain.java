package io.cleat.server.decide;

import io.cleat.base.InvariantBroken;
import io.cleat.model.NodeEvent;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeDrain;
import io.cleat.state.NodeRow;
import io.cleat.state.Trigger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Does what is due of a node's drain, and ends it once nothing is left.
 *
 * @param seed a fresh id
 */
public record AdvanceDrain(String nodeId, String seed) implements Command<AdvanceDrain.Reply> {
    private static final String MIGRATED = "alloc is being migrated";

    private static final String STOPPED = "alloc not needed as node is draining";

    /** @param stopped how many allocations were told to stop */
    public record Reply(int stopped) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Optional<NodeRow> node = newest.node(nodeId).filter(NodeRow::isDraining);
        if (node.isEmpty()) {
            return work.accept(new Reply(0));
        }
        Draining draining = Draining.of(newest, node.get());
        List<AllocationRow> due = draining.due(work.now());
        NewIds ids = new NewIds(seed);
        int stopped = 0;
        for (AllocationRow allocation : due) {
            if (!work.hasRoom()) {
                break; // The next turn finds them due as well.
            }
            stopped++;
            boolean moves = !Draining.isOnEachNode(newest, allocation);
            if (!moves) {
                Allocations.stop(work, allocation, STOPPED, false);
            } else {
                Allocations.migrate(work, allocation, MIGRATED);
                newest.job(allocation.job())
                        .filter(job -> !job.stop())
                        .ifPresent(job -> Evaluations.evaluate(work, job, Trigger.NODE_DRAIN, nodeId, ids));
            }
        }
        if (draining.phase() == Draining.Phase.DONE) {
            complete(work, node.get());
        }
        return work.accept(new Reply(stopped));
    }

    private static void complete(Work work, NodeRow node) {
        NodeDrain drain = node.drain();
        if (drain == null) {
            throw new InvariantBroken("a node that is drained has a drain", node.id());
        }
        NodeEvent event = new NodeEvent("Drain", "Node drain complete", Map.of(), work.now());
        work.add(new Change.NodePut(node.withDrain(drain.ended(NodeDrain.Status.COMPLETE, work.now()), false)
                .withEvents(List.of(event))));
    }
}
