package io.cleat.server.commit;

import io.cleat.base.Refusal;
import java.util.List;

/** What a proposal came to. */
public sealed interface Decision<C, R> {
    /**
     * Yes.
     *
     * @param changes what it changes; none when the image is already as wanted
     * @param reply for the caller, once the changes are applied
     */
    record Accept<C, R>(List<C> changes, R reply) implements Decision<C, R> {
        public Accept {
            changes = List.copyOf(changes);
        }
    }

    /** No; nothing changes. */
    record Reject<C, R>(Refusal refusal) implements Decision<C, R> {}
}
