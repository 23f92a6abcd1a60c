package io.cleat.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a drain is: {@code GET /v1/node/:id/drain}, which Nomad does not have.
 *
 * @param DrainStrategy null unless the node is being drained
 * @param LastDrain the present or the last one; null if there was none
 * @param Left all that is waited for, in the order in which it goes
 * @param Phase tasks, unpublish, unstage, detach, plugins or done; empty unless it is drained
 */
public record NodeDrainProgress(
        @Nullable DrainStrategy DrainStrategy,
        @Nullable LastDrain LastDrain,
        List<Left> Left,
        String NodeID,
        String NodeName,
        String Phase) {
    /**
     * One thing that is waited for.
     *
     * @param WaitingFor why it takes so long, as far as is known
     */
    public record Left(
            String Object, String Phase, @Nullable Instant Since, VolumeWhy.@Nullable Waiting WaitingFor) {}
}
