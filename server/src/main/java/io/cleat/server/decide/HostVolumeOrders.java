package io.cleat.server.decide;

import io.cleat.model.BlockedBy;
import io.cleat.state.Change;
import io.cleat.state.HostVolumeOrder;
import io.cleat.state.HostVolumeRow;
import java.time.Duration;
import java.time.Instant;

/** What nodes are asked about host volumes until they have answered, and how often. */
final class HostVolumeOrders {
    /** How often a node is asked again that does not answer; then it is somebody's to say it. */
    static final int MOST_TRIES = 10;

    /** As long as whoever has asked waits for the answer: then nobody does. */
    static final Duration FIRST = Duration.ofMinutes(5);

    private static final Duration SHORTEST = Duration.ofSeconds(15);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private HostVolumeOrders() {}

    /**
     * A row of which its node is asked now.
     *
     * @param path of the directory that it is to take in; empty for one that it is to make
     */
    static HostVolumeRow begun(Work work, HostVolumeRow row, String path) {
        if (!work.reads(Change.STICKY_LEVEL)) {
            return row;
        }
        Instant now = work.now();
        return row.ordered(
                new HostVolumeOrder(
                        path,
                        0,
                        new BlockedBy(
                                step(row),
                                Words.node(work.state(), row.spec().nodeId()),
                                now,
                                now.plus(FIRST),
                                "it is asked, and has not answered yet")),
                now);
    }

    /** A row whose node has not answered, or not with what is known to have failed. */
    static HostVolumeRow unanswered(Work work, HostVolumeRow row, HostVolumeOrder order, String why, boolean isOver) {
        int tries = order.tries() + 1;
        boolean isLast = isOver || tries >= MOST_TRIES;
        Instant now = work.now();
        return row.ordered(
                new HostVolumeOrder(
                        order.path(),
                        tries,
                        new BlockedBy(
                                step(row),
                                order.blockedBy().holder(),
                                order.blockedBy().since(),
                                isLast ? null : now.plus(pause(tries)),
                                why
                                        + (isLast
                                                ? "; it is not asked again: cleat volume delete -type=host "
                                                        + row.spec().id()
                                                : "; it is asked again, " + (MOST_TRIES - tries) + " times at most"))),
                now);
    }

    private static Duration pause(int tries) {
        Duration pause = SHORTEST.multipliedBy(1L << Math.min(tries - 1, 10));
        return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
    }

    private static String step(HostVolumeRow row) {
        return row.deleting() ? "delete" : "create";
    }
}
