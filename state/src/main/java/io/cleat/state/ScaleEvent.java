package io.cleat.state;

import io.cleat.base.Ordered;
import io.cleat.base.Since;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A group was scaled, or somebody who scales it says why not.
 *
 * @param count how many allocations are wanted since then; null if that was left as it was
 * @param previousCount how many were wanted before
 * @param error whether it says that something went wrong
 * @param message for people; at most {@link #MESSAGE_MOST} characters
 * @param meta for whoever scales; strings, longs, doubles, booleans, lists and maps of them, at most {@link #META_MOST}
 *     characters of JSON
 * @param evalId the evaluation that it started; empty for none
 * @param version of the decision; 0 before it is applied
 */
@Since(Change.SCALING_LEVEL)
public record ScaleEvent(
        Instant at,
        @Nullable Integer count,
        int previousCount,
        boolean error,
        String message,
        Map<String, Object> meta,
        String evalId,
        long version) {
    public static final int MESSAGE_MOST = 1024;
    public static final int META_MOST = 4096;

    public ScaleEvent {
        meta = Ordered.copyOf(meta);
    }

    ScaleEvent decidedIn(long decision) {
        return new ScaleEvent(at, count, previousCount, error, message, meta, evalId, decision);
    }
}
