package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.VariableId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.VariableLock;
import io.cleat.state.VariableRow;
import java.util.Optional;

/**
 * Takes the lock of a variable, which is made if it is not there. It conflicts while somebody else holds the lock, and
 * for the lock's delay after he did not renew it.
 *
 * @param id valid
 * @param items what it holds from now on; none to leave it as it is
 * @param lock with a fresh id
 */
public record LockVariable(VariableId id, Encrypted items, VariableLock lock) implements Command<VariableReply> {
    @Override
    public Decision<Change, VariableReply> decide(ClusterState newest, DecideContext context) {
        Optional<Refusal> refusal = NamespaceRules.missing(newest, context, id);
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        Work work = new Work(newest, context);
        Optional<VariableRow> known = newest.variables().find(id);
        if (VariableRules.keepsOut(known, "")) {
            return VariableRules.conflict(work);
        }
        VariableRow row = known.orElseGet(() -> VariableRow.of(id, items, work.now()));
        VariableRow filled = items.isNone() ? row : row.withItems(items, work.now());
        return VariableRules.put(work, filled.withLock(lock, work.now()));
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
