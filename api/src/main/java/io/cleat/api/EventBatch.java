package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of the event stream: what one decision did, or a heartbeat, or that something is missed.
 *
 * @param Events empty in a heartbeat
 * @param Index the decision's version; 0 in a heartbeat
 * @param Missed set if decisions are not kept any more that the reader would have come to; a heartbeat for whoever does
 *     not know it
 */
public record EventBatch(
        List<Event> Events, long Index, @Nullable Missed Missed) {
    /**
     * @param From the first version that is missed
     * @param To the last one
     */
    public record Missed(long From, long To) {}

    /** Whether the line says only that the stream lives. */
    public boolean isHeartbeat() {
        return Events.isEmpty() && Missed == null;
    }
}
