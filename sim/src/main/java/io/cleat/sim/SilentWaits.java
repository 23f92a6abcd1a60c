package io.cleat.sim;

import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeStatus;
import io.cleat.state.OperationRow;
import io.cleat.state.VolumeProgress;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Judges that whoever waits is told why: no call, and no claim of an allocation that should run or end, is without its
 * reason for longer than {@link #LIMIT} while all who would say it can be heard. A leader that has just begun tells
 * nodes nothing until they have come, and in a recovery all waits for a person; that time is not counted.
 */
final class SilentWaits {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofSeconds(2);

    /** How long a leader waits for its nodes at most. */
    private static final Duration SETTLES_WITHIN = Duration.ofSeconds(30);

    /** What waits without a reason, and since when, in nanoseconds. */
    private final Map<String, Long> since = new HashMap<>();

    private Optional<String> reign = Optional.empty();
    private long nextLook;

    /**
     * @param nanos now
     * @param heard names the nodes whose agents run and reach the server
     * @throws AssertionError naming what waits
     */
    void look(long nanos, SimServer server, Supplier<Set<String>> heard) {
        if (nanos < nextLook) {
            return;
        }
        Optional<String> now = server.server.status().commit().reign();
        if (now.isEmpty() || !now.equals(reign) || server.image().isRecovering()) {
            since.clear();
            reign = now;
            nextLook = nanos + SETTLES_WITHIN.toNanos();
            return;
        }
        nextLook = nanos + PAUSE.toNanos();
        Set<String> silent = silent(server.image(), heard.get());
        since.keySet().retainAll(silent);
        for (String what : silent) {
            long first = since.computeIfAbsent(what, one -> nanos);
            if (nanos - first > LIMIT.toNanos()) {
                throw new AssertionError("for " + LIMIT + " nobody has said why it waits: " + what);
            }
        }
    }

    private static Set<String> silent(ClusterState state, Set<String> heard) {
        Set<String> silent = new HashSet<>();
        for (OperationRow row : state.operations().all()) {
            if (!row.isDone() && row.blockedBy() == null) {
                silent.add("operation " + row.id());
            }
        }
        for (ClaimRow claim : state.claims().all()) {
            boolean isHeard = state.node(claim.nodeId())
                    .filter(node -> node.status() == NodeStatus.READY)
                    .filter(node -> heard.contains(node.name()))
                    .isPresent();
            if (isHeard && waits(state, claim) && !isTold(state, claim)) {
                silent.add("the claim of %s for %s, %s"
                        .formatted(
                                claim.volume().id(),
                                claim.allocId(),
                                claim.state().wire()));
            }
        }
        return silent;
    }

    private static boolean waits(ClusterState state, ClaimRow claim) {
        AllocationRow allocation = state.allocation(claim.allocId()).orElseThrow();
        return switch (claim.state()) {
            case WAITING, RELEASING -> true;
            case GRANTED ->
                allocation.desired() == DesiredStatus.RUN
                        && allocation.status() == ClientStatus.PENDING
                        && !isPublished(allocation, claim);
        };
    }

    private static boolean isPublished(AllocationRow allocation, ClaimRow claim) {
        VolumeProgress progress = allocation.seen().volumes().get(claim.alias());
        return progress != null && progress.phase() == VolumeProgress.Phase.PUBLISHED;
    }

    private static boolean isTold(ClusterState state, ClaimRow claim) {
        VolumeProgress progress =
                state.allocation(claim.allocId()).orElseThrow().seen().volumes().get(claim.alias());
        return claim.blockedBy() != null
                || (progress != null && progress.waitingFor() != null)
                || (claim.state() == ClaimState.GRANTED
                        && state.attachments()
                                .get(new AttachmentId(claim.key(), claim.nodeId()))
                                .map(AttachmentRow::blockedBy)
                                .isPresent());
    }
}
