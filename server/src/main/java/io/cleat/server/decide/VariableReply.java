package io.cleat.server.decide;

import io.cleat.model.VariableId;
import io.cleat.state.Encrypted;
import io.cleat.state.VariableLock;
import io.cleat.state.VariableRow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What became of a command about a variable. */
public sealed interface VariableReply {
    /**
     * It was done.
     *
     * @param lock that it is under; null for none
     */
    record Done(
            long createVersion,
            long modifyVersion,
            Instant createdAt,
            Instant modifiedAt,
            @Nullable VariableLock lock) implements VariableReply {
        /** The variable as it was stored then, without its items. */
        public VariableRow row(VariableId id) {
            return new VariableRow(id, Encrypted.NONE, lock, createdAt, modifiedAt, createVersion, modifyVersion);
        }
    }

    /** The variable is gone. */
    record Gone() implements VariableReply {}

    /** The variable is not as its writer thought, or is locked by somebody else: nothing changed. */
    record Conflicting() implements VariableReply {}
}
