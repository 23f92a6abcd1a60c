package io.cleat.wire;

import io.cleat.base.Ordered;
import io.cleat.base.Since;
import io.cleat.model.AllocAddress;
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
     * @param obeyed whom it has obeyed before; null for nobody yet
     */
    record Hello(
            int wireVersion,
            String nodeSecret,
            NodeFacts facts,
            @Nullable Obeyed obeyed) implements ToServer {}

    /**
     * What a node has acted on. A server to which this is no past may not tell it what to run: it would end what it
     * does not know.
     *
     * @param version the highest one of the image that the node was given work from
     * @param reign the highest one in which it was let in
     * @param lineage the random id of the reign that was open with that version, which tells it from the same version
     *     of another past; empty if it is not known
     */
    record Obeyed(String clusterId, long version, long reign, String lineage) {
        private static final String WAYS_ON =
                " Nothing on the node was touched. Stop the server and put the newer data directory"
                        + " back; if there is none, see operator recovery, and docs/other-past.md";

        public Obeyed {
            lineage = lineage == null ? "" : lineage;
        }

        /** Why a server of another cluster is not obeyed, in words for people. */
        public String isNotOf(String otherCluster) {
            return "this node belongs to cluster "
                    + clusterId
                    + ", and the server that it reached is of cluster "
                    + otherCluster
                    + ". Nothing on the node was touched. Give the node the servers of its own"
                    + " cluster, or those servers their own data directory; docs/other-past.md says"
                    + " how a node leaves a cluster that is gone";
        }

        /** Why a server that knows less than the node is not obeyed, in words for people. */
        public String isAheadOf(long serversVersion) {
            return "this node has acted on version "
                    + version
                    + " of cluster "
                    + clusterId
                    + ", and the server is at version "
                    + serversVersion
                    + ": it was restored from an older copy, or has lost the end of its log."
                    + WAYS_ON;
        }

        /** Why a server is not obeyed that began before the last one, in words for people. */
        public String isOfLaterReign(long serversReign) {
            return "this node was let in in reign "
                    + reign
                    + " of cluster "
                    + clusterId
                    + ", and the server's is "
                    + serversReign
                    + ": it was restored from an older copy, or has lost the end of its log."
                    + WAYS_ON;
        }

        /** Why a server that has decided otherwise is not obeyed, in words for people. */
        public String hasPartedFrom(long serversVersion) {
            return "this node has acted on version "
                    + version
                    + " of cluster "
                    + clusterId
                    + " as it was decided in reign "
                    + lineage
                    + ", and the server, now at version "
                    + serversVersion
                    + ", has decided that version otherwise: it was restored from an older copy, or"
                    + " has lost the end of its log, and went on from there."
                    + WAYS_ON;
        }
    }

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
     * @param address in a network of its own; null if it has none, or none yet
     */
    record AllocReport(
            String allocId,
            ClientStatus status,
            String description,
            Map<String, TaskState> tasks,
            Map<String, VolumeReport> volumes,
            @Nullable AllocHealth health,
            @Since(wire = 15) @Nullable AllocAddress address) {
        public AllocReport {
            tasks = Ordered.copyOf(tasks);
            volumes = Ordered.copyOf(volumes);
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
         * Nothing of it is left on the node for this allocation, and its staging, if it was the last user's, is undone.
         */
        UNPUBLISHED
    }

    /** The end of an order. Repeated on each new link until the server asks for no more of it. */
    record OrderDone(String operationId, OrderOutcome outcome) implements ToServer {}

    /** The answer to {@link ToNode.AskOrder}: whether the call still runs in this agent. */
    record OrderState(String operationId, boolean running) implements ToServer {}

    /**
     * The answer to {@link ToNode.Tell}: all that may be mounted or staged on the node, by its own journal, in so many
     * messages.
     *
     * @param last whether no more follows
     */
    record Holds(List<Held> held, boolean last) implements ToServer {
        public Holds {
            held = List.copyOf(held);
        }
    }

    /**
     * A provider's volume of which something may be mounted on the node.
     *
     * @param allocId that uses it; empty for what is staged and used by none
     * @param alias of the volume in the allocation; empty likewise
     */
    record Held(String pluginId, String externalId, String allocId, String alias) {}

    /**
     * A task's templates read its variables: from now on the node is told those that the task may read, now and
     * whenever one of them changes ({@link ToNode.TaskVariables}). Said again on each new link.
     *
     * @param wanted false once the task has ended
     */
    @Since(wire = 10)
    record VariablesWanted(String allocId, String task, boolean wanted) implements ToServer {}

    /**
     * A task's templates read where a service is: from now on the node is told, now and whenever it changes
     * ({@link ToNode.ServicePlaces}). Said again on each new link.
     *
     * @param allocId whose namespace is meant
     * @param name of the service; empty for a list of all
     * @param wanted false once nobody there reads it any more
     */
    @Since(wire = 13)
    record ServicesWanted(String allocId, String name, boolean wanted) implements ToServer {}

    /** Events of the node, oldest first, each sent once. */
    record NodeEvents(List<NodeEvent> events) implements ToServer {}

    /** Calls made for a volume, oldest first, each sent once. */
    record VolumeEvents(VolumeId volume, List<VolumeEvent> events) implements ToServer {}
}
