package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;

/**
 * One of the pool's small files is damaged, of a newer version, or gone from beside what it describes. It concerns what
 * that file describes and nothing else; a person has to put it right, and nothing here ever writes over it.
 */
final class RecordDamaged extends DiskTrouble {
    private static final long serialVersionUID = 1;

    RecordDamaged(String message) {
        super(message, Effect.NONE, Retry.NEVER);
    }
}
