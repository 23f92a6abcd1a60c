package io.cleat.server.decide;

import io.cleat.model.NodeEvent;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import java.util.List;

/** A node tells what happened on it. */
public record AddNodeEvents(String nodeId, List<NodeEvent> events) implements Command<AddNodeEvents.Reply> {
    public AddNodeEvents {
        events = List.copyOf(events);
    }

    /** Taken in, or the node is gone. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        if (!events.isEmpty() && newest.node(nodeId).isPresent()) {
            work.add(new Change.NodeEventsAdded(nodeId, events));
        }
        return work.accept(new Reply());
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
