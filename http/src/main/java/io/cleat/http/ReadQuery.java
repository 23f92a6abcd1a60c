package io.cleat.http;

import io.cleat.base.EarlyEnd;
import java.time.Duration;

/**
 * How a read is to be answered.
 *
 * @param namespace {@code default} unless the request named one; {@code *} for all, in lists
 * @param index 0 for an answer at once; else the answer waits until what is asked for is newer than this version, or
 *     until {@code longest} (plus up to a sixteenth of it, by chance) has passed, and is then given as it is
 * @param longest more than zero, at most {@link #LONGEST_WAIT}
 * @param stale whether a member that is not the leader may answer from what it has
 * @param early ends the wait before, as when the client has hung up
 */
public record ReadQuery(String namespace, long index, Duration longest, boolean stale, EarlyEnd early) {
    /** How long a query blocks unless it says otherwise, and at most. */
    public static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    /** A read of {@code namespace} that is answered at once by the leader. */
    public static ReadQuery now(String namespace) {
        return new ReadQuery(namespace, 0, LONGEST_WAIT, false, EarlyEnd.NEVER);
    }

    public boolean isBlocking() {
        return index > 0;
    }

    /** The namespaces that a list is asked for. */
    public ShownNamespaces shown() {
        return new ShownNamespaces(namespace);
    }
}
