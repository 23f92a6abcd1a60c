package io.cleat.server.decide;

import io.cleat.model.VariableId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.VariableRow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Forgets a variable. One that is not there is gone already. Who holds its lock releases that first.
 *
 * @param ifModifyVersion what last changed it, else it conflicts; null for whatever it is
 */
public record DeleteVariable(VariableId id, @Nullable Long ifModifyVersion) implements Command<VariableReply> {
    @Override
    public Decision<Change, VariableReply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Optional<VariableRow> known = newest.variables().find(id);
        if (VariableRules.isOther(known, ifModifyVersion) || VariableRules.keepsOut(known, "")) {
            return VariableRules.conflict(work);
        }
        if (known.isPresent()) {
            work.add(new Change.VariableRemoved(id));
        }
        return work.accept(new VariableReply.Gone());
    }
}
