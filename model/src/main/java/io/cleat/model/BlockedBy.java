package io.cleat.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why something waits. API, CLI and messages show these words as they are.
 *
 * @param step what cannot go on, such as {@code claim}, {@code attach}, {@code stage}
 * @param holder who or what is in the way, such as {@code allocation 1f2e.. of job default/web on node n1}
 * @param since when it began to wait for that
 * @param nextTry when it is tried again; absent if it goes on by itself once the holder is gone
 * @param hint what will happen next, or what an operator can do
 */
public record BlockedBy(
        String step, String holder, Instant since, @Nullable Instant nextTry, String hint) {
    /** Whether the same step waits for the same holder, since whenever. */
    public boolean isSame(BlockedBy other) {
        return step.equals(other.step) && holder.equals(other.holder);
    }
}
