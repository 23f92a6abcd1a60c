package io.cleat.server.session;

import io.cleat.base.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The beginning of a leader, in which no node is told anything: until each known node has come, or has had its time to.
 * One of them may know that these servers have forgotten something; what the others were told by then could not be
 * taken back.
 *
 * <p>Any thread.
 */
final class GracePeriod {
    /** Longer than a node waits between two tries to reach a server. */
    static final Duration WITHIN = Duration.ofSeconds(30);

    private final Time time;
    private final Set<String> awaited = ConcurrentHashMap.newKeySet();
    private volatile long end;

    GracePeriod(Time time) {
        this.time = time;
        this.end = time.nanos();
    }

    /** A leader begins, and knows these nodes. */
    void begin(Collection<String> nodeIds) {
        end = time.nanos() + WITHIN.toNanos();
        awaited.clear();
        awaited.addAll(nodeIds);
    }

    /**
     * A node has come, and knows nothing that the servers do not.
     *
     * @return whether it was the last one
     */
    boolean met(String nodeId) {
        return awaited.remove(nodeId) && awaited.isEmpty();
    }

    boolean isOver() {
        return awaited.isEmpty() || time.nanos() - end >= 0;
    }
}
