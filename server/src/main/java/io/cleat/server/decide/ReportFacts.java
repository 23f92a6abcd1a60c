package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.MachinePrint;
import io.cleat.model.NodeFacts;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import java.util.Optional;

/**
 * A node says something else of itself. Not that it is another machine, or has booted: that is said by
 * {@link RegisterNode}, with proof.
 *
 * @param seed a fresh id
 */
public record ReportFacts(NodeFacts facts, String seed) implements Command<ReportFacts.Reply> {
    /** Taken in. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<NodeRow> known = newest.node(facts.id());
        if (known.isEmpty()) {
            return Work.refuse(
                    new Refusal.NotFound("node " + facts.id() + " is not registered; it has to register again"));
        }
        NodeFacts before = known.get().facts();
        if (!before.bootId().equals(facts.bootId()) || MachinePrint.of(before).differsFrom(MachinePrint.of(facts))) {
            return Work.refuse(new Refusal.Conflict("node "
                    + facts.name()
                    + " is let in from boot "
                    + before.bootId()
                    + ", and this is said from boot "
                    + facts.bootId()
                    + " or another machine; it has to register again"));
        }
        Work work = new Work(newest, context);
        NodeFacts readable = Nodes.readable(facts, context);
        if (!before.equals(readable)) {
            work.add(new Change.NodeFactsChanged(readable));
            Nodes.changed(work, Optional.of(before), readable, false, new NewIds(seed));
        }
        return work.accept(new Reply());
    }
}
