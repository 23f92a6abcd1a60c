package io.cleat.server.decide;

import io.cleat.model.VariableId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;

/**
 * Makes sure that somebody still holds the lock of a variable. Changes nothing: whoever leads counts the lock's time,
 * and has begun anew before this is decided.
 */
public record RenewLock(VariableId id, String lockId) implements Command<VariableReply> {
    @Override
    public Decision<Change, VariableReply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        return VariableRules.isHeldAs(newest.variables().find(id), lockId)
                ? VariableRules.done(work, id)
                : VariableRules.conflict(work);
    }

    @Override
    public boolean goesOnInRecovery() {
        return true;
    }
}
