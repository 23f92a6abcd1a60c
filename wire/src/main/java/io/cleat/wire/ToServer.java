package io.cleat.wire;

import io.cleat.model.AllocHealth;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.NodeEvent;
import io.cleat.model.NodeFacts;
import io.cleat.model.TaskState;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a node says to a server. A node says all of its state again on each new link. */
public sealed interface ToServer {
    /**
     * The first message of a link.
     *
     * @param wireVersion of this protocol
     * @param nodeSecret proves that the node is the one that registered under its id
     */
    record Hello(int wireVersion, String nodeSecret, NodeFacts facts) implements ToServer {}

    /** What the node says of itself has changed. */
    record Facts(NodeFacts facts) implements ToServer {}

    record Heartbeat(long number) implements ToServer {}

    /** How allocations are now; each replaces what was said of it before. */
    record Allocations(List<AllocReport> reports) implements ToServer {
        public Allocations {
            reports = List.copyOf(reports);
        }
    }

    /**
     * How one allocation is.
     *
     * @param tasks by name
     * @param volumes by alias
     * @param health null until it is known, and for one of which nobody asks
     */
    record AllocReport(
            String allocId,
            ClientStatus status,
            String description,
            Map<String, TaskState> tasks,
            Map<String, VolumeReport> volumes,
            @Nullable AllocHealth health) {
        public AllocReport {
            tasks = Map.copyOf(tasks);
            volumes = Map.copyOf(volumes);
        }
    }

    /**
     * How far one volume of one allocation is on the node.
     *
     * @param epoch of the grant the node acts on; 0 if it has none
     * @param expandedTo the {@link ToNode.Grant#expandTo} that the node has carried out; 0 for none
     * @param waitingFor why the next step is not done yet
     */
    record VolumeReport(
            VolumeId volume,
            long epoch,
            VolumePhase phase,
            long expandedTo,
            @Nullable BlockedBy waitingFor) {}

    /** The node's steps of a volume. */
    enum VolumePhase {
        /** No step was begun. */
        NONE,
        /** Staging or publishing was begun: something may be mounted. */
        MOUNTING,
        /** Published, and seen in the mount table. */
        PUBLISHED,
        /** Unpublishing or unstaging was begun. */
        UNMOUNTING,
        /**
         * Nothing of it is left on the node for this allocation, and its staging, if it was the
         * last user's, is undone.
         */
        UNPUBLISHED
    }

    /** The end of an order. Repeated on each new link until the server asks for no more of it. */
    record OrderDone(String operationId, OrderOutcome outcome) implements ToServer {}

    /** The answer to {@link ToNode.AskOrder}: whether the call still runs in this agent. */
    record OrderState(String operationId, boolean running) implements ToServer {}

    /** Events of the node, oldest first, each sent once. */
    record NodeEvents(List<NodeEvent> events) implements ToServer {}

    /** Calls made for a volume, oldest first, each sent once. */
    record VolumeEvents(VolumeId volume, List<VolumeEvent> events) implements ToServer {}
}
