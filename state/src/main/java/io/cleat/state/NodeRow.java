package io.cleat.state;

import io.cleat.base.Since;
import io.cleat.model.NodeEvent;
import io.cleat.model.NodeFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A machine that runs an agent.
 *
 * @param eligible whether new allocations may be placed there
 * @param secretDigest SHA-256, in hex, of the secret that proves the node's identity
 * @param statusSince when its status last changed
 * @param events the last ones, oldest first
 * @param drain the one that goes on, or the last one; null if there was none
 * @param proof what tells its machine from a copy of it; a row of an earlier version has none
 */
public record NodeRow(
        NodeFacts facts,
        NodeStatus status,
        String statusDescription,
        boolean eligible,
        String secretDigest,
        Instant statusSince,
        List<NodeEvent> events,
        @Nullable NodeDrain drain,
        @Since(4) NodeProof proof,
        long createVersion,
        long modifyVersion)
        implements Row<NodeRow> {
    /** How many events are kept. */
    public static final int EVENTS_KEPT = 10;

    public NodeRow {
        events = List.copyOf(events);
        proof = Objects.requireNonNullElse(proof, NodeProof.NONE);
    }

    public String id() {
        return facts.id();
    }

    public String name() {
        return facts.name();
    }

    /** Whether new allocations may be placed there now. */
    public boolean isSchedulable() {
        return status == NodeStatus.READY && eligible && !isQuarantined();
    }

    /** Whether somebody came as this node, and nobody has decided yet which of them it is. */
    public boolean isQuarantined() {
        return proof.quarantine() != null;
    }

    public boolean isDraining() {
        return drain != null && drain.status() == NodeDrain.Status.DRAINING;
    }

    /** With another drain, and so with another eligibility. */
    public NodeRow withDrain(@Nullable NodeDrain newDrain, boolean newEligible) {
        return new NodeRow(
                facts,
                status,
                statusDescription,
                newEligible,
                secretDigest,
                statusSince,
                events,
                newDrain,
                proof,
                createVersion,
                modifyVersion);
    }

    public NodeRow withFacts(NodeFacts newFacts) {
        return new NodeRow(
                newFacts,
                status,
                statusDescription,
                eligible,
                secretDigest,
                statusSince,
                events,
                drain,
                proof,
                createVersion,
                modifyVersion);
    }

    public NodeRow withStatus(NodeStatus newStatus, String description, Instant at) {
        return new NodeRow(
                facts,
                newStatus,
                description,
                eligible,
                secretDigest,
                newStatus == status ? statusSince : at,
                events,
                drain,
                proof,
                createVersion,
                modifyVersion);
    }

    /** With these events after the others, the oldest ones dropped. */
    public NodeRow withEvents(List<NodeEvent> more) {
        return new NodeRow(
                facts,
                status,
                statusDescription,
                eligible,
                secretDigest,
                statusSince,
                last(events, more),
                drain,
                proof,
                createVersion,
                modifyVersion);
    }

    public NodeRow withProof(NodeProof newProof) {
        return new NodeRow(
                facts,
                status,
                statusDescription,
                eligible,
                secretDigest,
                statusSince,
                events,
                drain,
                newProof,
                createVersion,
                modifyVersion);
    }

    @Override
    public NodeRow stamped(long newCreate, long newModify) {
        return new NodeRow(
                facts,
                status,
                statusDescription,
                eligible,
                secretDigest,
                statusSince,
                events,
                drain,
                proof,
                newCreate,
                newModify);
    }

    private static List<NodeEvent> last(List<NodeEvent> old, List<NodeEvent> more) {
        List<NodeEvent> all = new ArrayList<>(old);
        all.addAll(more);
        return all.subList(Math.max(0, all.size() - EVENTS_KEPT), all.size());
    }
}
