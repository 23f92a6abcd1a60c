package io.cleat.server.decide;

import io.cleat.model.VariableId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.VariableRow;
import java.util.Optional;

/** Who holds the lock of a variable gives it back: anybody may take it at once. */
public record ReleaseLock(VariableId id, String lockId) implements Command<VariableReply> {
    @Override
    public Decision<Change, VariableReply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Optional<VariableRow> known = newest.variables().find(id);
        return VariableRules.isHeldAs(known, lockId)
                ? VariableRules.put(work, known.get().withLock(null, work.now()))
                : VariableRules.conflict(work);
    }
}
