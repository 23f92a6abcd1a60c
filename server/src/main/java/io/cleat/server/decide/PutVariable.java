package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.VariableId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.VariableRow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes a variable, or gives it other items.
 *
 * @param id valid
 * @param items all of it
 * @param ifModifyVersion what last changed it, else it conflicts; 0 if it must not be there; null for whatever it is
 * @param lockId of the lock that its writer holds; empty for none
 */
public record PutVariable(
        VariableId id, Encrypted items, @Nullable Long ifModifyVersion, String lockId)
        implements Command<VariableReply> {
    @Override
    public Decision<Change, VariableReply> decide(ClusterState newest, DecideContext context) {
        Optional<Refusal> refusal = NamespaceRules.missing(newest, context, id);
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        Work work = new Work(newest, context);
        Optional<VariableRow> known = newest.variables().find(id);
        boolean isLostLock = !lockId.isEmpty() && !VariableRules.isHeldAs(known, lockId);
        if (VariableRules.isOther(known, ifModifyVersion) || VariableRules.keepsOut(known, lockId) || isLostLock) {
            return VariableRules.conflict(work);
        }
        return VariableRules.put(
                work,
                known.map(row -> row.withItems(items, work.now()))
                        .orElseGet(() -> VariableRow.of(id, items, work.now())));
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
