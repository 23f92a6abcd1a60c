package io.cleat.server.commit;

import java.util.List;

/**
 * One decision that was applied.
 *
 * @param before the image that it was applied to
 * @param after the image that it led to
 * @param version its number
 * @param bytes of the changes, as the log has them
 */
public record AppliedDecision<S, C>(S before, List<C> changes, S after, long version, long bytes) {
    public AppliedDecision {
        changes = List.copyOf(changes);
    }
}
