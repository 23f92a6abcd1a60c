package io.cleat.server.decide;

import io.cleat.model.VariableId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.VariableLock;
import io.cleat.state.VariableRow;
import java.util.Optional;

/**
 * The time of a lock has passed: one that was held lapses, and begins its delay; one that was in its delay ends.
 *
 * @param seen as it was when its time had passed; any other is left alone
 */
public record EndLock(VariableId id, VariableLock seen) implements Command<EndLock.Reply> {
    /** Done, or no longer to be done. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Optional<VariableRow> known = newest.variables().find(id).filter(row -> seen.equals(row.lock()));
        if (known.isPresent()) {
            boolean isOver = seen.lapsed() || seen.delay().isZero();
            work.add(new Change.VariablePut(known.get().withLock(isOver ? null : seen.lapse(), work.now())));
        }
        return work.accept(new Reply());
    }
}
