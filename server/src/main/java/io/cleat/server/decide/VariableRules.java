package io.cleat.server.decide;

import io.cleat.model.VariableId;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.VariableLock;
import io.cleat.state.VariableRow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What stands in the way of whoever changes a variable. */
final class VariableRules {
    private VariableRules() {}

    /**
     * Whether it is not as its writer thinks.
     *
     * @param ifModifyVersion the version that last changed it; 0 if it is not there; null for whatever it is
     */
    static boolean isOther(Optional<VariableRow> known, @Nullable Long ifModifyVersion) {
        return ifModifyVersion != null
                && ifModifyVersion
                        != (long) known.map(VariableRow::modifyVersion).orElse(0L);
    }

    /**
     * Whether its lock, also one in its delay, keeps out who shows this one.
     *
     * @param lockId empty for none
     */
    static boolean keepsOut(Optional<VariableRow> known, String lockId) {
        VariableLock lock = known.map(VariableRow::lock).orElse(null);
        return lock != null && !isHeldAs(known, lockId);
    }

    /** Whether who shows this id holds its lock. */
    static boolean isHeldAs(Optional<VariableRow> known, String lockId) {
        return known.flatMap(VariableRow::held)
                .filter(lock -> lock.id().equals(lockId))
                .isPresent();
    }

    static Decision<Change, VariableReply> conflict(Work work) {
        return work.accept(new VariableReply.Conflicting());
    }

    /** The row is stored. */
    static Decision<Change, VariableReply> put(Work work, VariableRow row) {
        work.add(new Change.VariablePut(row));
        return done(work, row.id());
    }

    /** Nothing is changed of it. */
    static Decision<Change, VariableReply> done(Work work, VariableId id) {
        VariableRow stored = work.state().variables().find(id).orElseThrow();
        return work.accept(new VariableReply.Done(
                stored.createVersion(),
                stored.modifyVersion(),
                stored.createdAt(),
                stored.modifiedAt(),
                stored.lock()));
    }
}
