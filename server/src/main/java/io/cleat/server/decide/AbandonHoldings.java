package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.HoldingRow;
import java.util.List;

/**
 * A person vouches that nothing is left of what a node held for allocations that this cluster does not know: its
 * machine is off for good. A node that is heard says so itself.
 */
public record AbandonHoldings(String nodeId) implements Command<AbandonHoldings.Reply> {
    /** @param more whether there was no room for all of them: ask again */
    public record Reply(int freed, boolean more) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        List<HoldingRow> rows = newest.holdings().onNode(nodeId);
        if (rows.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("node "
                    + nodeId
                    + " holds nothing that this cluster does not know; operator"
                    + " recovery lists what does, with the nodes' whole ids"));
        }
        if (MachineIsOff.isHeard(newest, nodeId)) {
            return Work.refuse(new Refusal.Conflict(
                    Words.node(newest, nodeId) + " can be heard, and says by itself when it has let go what it holds"));
        }
        Work work = new Work(newest, context);
        boolean isAll = Holdings.free(work, rows);
        int left = work.state().holdings().onNode(nodeId).size();
        return work.accept(new Reply(rows.size() - left, !isAll));
    }
}
