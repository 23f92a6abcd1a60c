package io.cleat.server.session;

import java.time.Duration;
import java.util.List;

/** Which nodes have not been heard for too long, in elapsed time. Any thread. */
public interface Liveness {
    /** How often a node must be heard. */
    Duration HEARTBEAT = Duration.ofSeconds(10);

    /** How long a node may be silent before it counts as down. */
    Duration ALLOWED = HEARTBEAT.multipliedBy(2);

    /** The nodes that were silent for too long; each is to be given up by {@link #forget}. */
    List<String> overdue();

    /** Until when, at the earliest, a node becomes overdue. */
    Duration untilNextOverdue();

    /** The node was decided to be down: its link, if it has one, is closed. */
    void forget(String nodeId);
}
