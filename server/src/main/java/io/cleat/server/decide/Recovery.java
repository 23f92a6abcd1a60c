package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.OtherPastRow;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A cluster whose servers have forgotten what its nodes have acted on: nothing is granted, released or stopped until a
 * person has looked.
 */
public final class Recovery {
    private Recovery() {}

    /** What is answered to whatever may not be decided now. */
    public static Refusal refusal(ClusterState state) {
        return new Refusal.Conflict(words(state)
                + ". Until a person ends that, nothing is placed, released, stopped or"
                + " changed: see operator recovery, and docs/other-past.md");
    }

    /** Since when, for whom, and what is missing; for people. */
    public static String words(ClusterState state) {
        List<String> nodes = state.openPasts().stream()
                .map(row -> who(row)
                        + " version "
                        + row.version()
                        + (row.lineage().isEmpty() ? "" : " of reign " + row.lineage())
                        + ", and the servers, then at version "
                        + row.knownThen()
                        + ", do not know that"
                        + missing(row.version(), row.knownThen()))
                .toList();
        return "the cluster is in recovery since "
                + since(state).map(Instant::toString).orElse("now")
                + ": "
                + Words.few(nodes);
    }

    /**
     * How many decisions are missing, to go behind other words; empty where that is not known, because others were made
     * in their place.
     *
     * @param version up to which they are known to have been made
     * @param known the newest that is still known
     */
    public static String missing(long version, long known) {
        long count = version - known;
        return count <= 0
                ? ""
                : ": at least " + count + (count == 1 ? " decision is missing" : " decisions are missing");
    }

    private static String who(OtherPastRow row) {
        return row.nodeId().equals(NoteOtherPast.SERVER)
                ? "the server's own note says that it has acknowledged"
                : "node " + row.nodeName() + " has acted on";
    }

    /** When the first of these nodes came. */
    public static Optional<Instant> since(ClusterState state) {
        return state.openPasts().stream().map(OtherPastRow::since).min(Comparator.naturalOrder());
    }

    /** Why this is not the node that registered under that id; empty if it is, or is not known. */
    static Optional<Refusal> stranger(ClusterState state, String nodeId, String secretDigest) {
        return Nodes.everKnown(state, nodeId)
                .map(NodeRow::secretDigest)
                .filter(known -> !known.equals(secretDigest))
                .map(other -> new Refusal.Forbidden(
                        "node secret ID does not match: node " + nodeId + " is registered with another secret"));
    }
}
