package io.cleat.server.decide;

import io.cleat.model.VolumeId;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.VolumeLabel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The words for rows in messages and in {@link BlockedBy}. */
final class Words {
    /** How many of those that stand in the way a message names. */
    private static final int NAMED = 5;

    private Words() {}

    /** The first of them, and how many more there are: there may be thousands. */
    static String few(List<String> all) {
        String first = String.join("; ", all.subList(0, Math.min(NAMED, all.size())));
        return all.size() <= NAMED ? first : first + "; and " + (all.size() - NAMED) + " more";
    }

    static String volume(VolumeId id) {
        return "volume " + id.id() + " in namespace " + id.namespace();
    }

    /** As {@link #volume(VolumeId)}, of one that may be a host volume. */
    static String volume(ClusterState state, VolumeId id) {
        return "volume " + VolumeLabel.of(state, id) + " in namespace " + id.namespace();
    }

    /** Such as {@code allocation 1f2e.. of job default/web on node n1}. */
    static String allocation(ClusterState state, String allocId) {
        return state.allocation(allocId)
                .map(row -> "allocation " + allocId + " of job " + row.job() + " on node "
                        + row.placed().nodeName())
                .orElse("allocation " + allocId + ", whose row is gone");
    }

    /** Who holds, in which state, for how long. */
    static String claim(ClusterState state, ClaimRow claim, Instant now) {
        return allocation(state, claim.allocId())
                + (claim.readOnly() ? " (reads" : " (writes")
                + ", "
                + claim.state().wire()
                + " for "
                + age(claim.since(), now)
                + ")";
    }

    static String node(ClusterState state, String nodeId) {
        return state.node(nodeId)
                .map(row -> "node " + row.name() + " (" + row.status().wire() + " since " + row.statusSince() + ")")
                .orElse("node " + nodeId + ", which is not known any more");
    }

    static String operation(OperationRow operation, Instant now) {
        return OperationCall.csiName(operation.call())
                + " (operation "
                + operation.id()
                + ", "
                + operation.state().wire()
                + " for "
                + age(operation.state() == OperationState.UNKNOWN ? operation.unknownSince() : operation.since(), now)
                + ")";
    }

    /** Rounded to seconds; {@code 0s}, {@code 42s}, {@code 3m5s}, {@code 2h7m}, {@code 3d4h}. */
    static String age(Instant since, Instant now) {
        Duration age = Duration.between(since, now);
        long seconds = Math.max(0, age.toSeconds());
        if (seconds < 60) {
            return seconds + "s";
        }
        if (seconds < 3600) {
            return seconds / 60 + "m" + seconds % 60 + "s";
        }
        if (seconds < 86_400) {
            return seconds / 3600 + "h" + seconds / 60 % 60 + "m";
        }
        return seconds / 86_400 + "d" + seconds / 3600 % 24 + "h";
    }
}
