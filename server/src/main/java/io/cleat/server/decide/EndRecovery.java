package io.cleat.server.decide;

import io.cleat.base.VisibleText;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;

/**
 * A person ends the recovery: what the servers know is the past from now on, also for the nodes that have acted on
 * another.
 *
 * @param by who says so, for the record
 */
public record EndRecovery(String by) implements Command<EndRecovery.Reply> {
    private static final int LONGEST = 200;

    /** @param nodes how many nodes begin anew; 0 if there was no recovery */
    public record Reply(int nodes) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        int nodes = newest.openPasts().size();
        if (nodes > 0) {
            work.add(new Change.RecoveryEnded(VisibleText.line(VisibleText.head(by, LONGEST))));
        }
        return work.accept(new Reply(nodes));
    }

    @Override
    public boolean goesOnInRecovery() {
        return true;
    }
}
