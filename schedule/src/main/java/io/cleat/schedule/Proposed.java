package io.cleat.schedule;

import io.cleat.model.AllocatedPort;
import io.cleat.model.DesiredStatus;
import io.cleat.model.GroupNetwork;
import io.cleat.model.JobId;
import io.cleat.model.NodeFacts;
import io.cleat.model.Resources;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeUse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The nodes' use as it will be once the plan so far is carried out: what runs there, without what the plan stops, with
 * what it places. Used by one thread, for one plan.
 */
public final class Proposed {
    /** Why an allocation is stopped whose job has another version. */
    static final String UPDATED = "alloc is being updated due to job update";

    private final ClusterState state;
    private final JobId job;
    private final Set<String> stopped = new HashSet<>();
    private final Map<String, NodeUse> placed = new HashMap<>();
    private final Map<String, Integer> placedCores = new HashMap<>();
    private final Map<String, Integer> placedOwn = new HashMap<>();
    private final Map<String, List<PlacedPorts>> placedPorts = new HashMap<>();

    private final List<String> changed = new ArrayList<>();

    /** The job's allocations that have not ended, by their nodes. */
    private final Map<String, List<AllocationRow>> ownOpen = new HashMap<>();

    /** Ports of an allocation that is to come. */
    private record PlacedPorts(String name, String allocId, List<AllocatedPort> ports) {}

    Proposed(ClusterState state, JobId job) {
        this.state = state;
        this.job = job;
        for (AllocationRow row : state.allocationsOfJob(job)) {
            if (!row.isEnded()) {
                ownOpen.computeIfAbsent(row.nodeId(), id -> new ArrayList<>()).add(row);
            }
        }
    }

    void stop(String allocId) {
        stopped.add(allocId);
        noteNode(allocId);
    }

    void keep(String allocId) {
        stopped.remove(allocId);
        noteNode(allocId);
    }

    private void noteNode(String allocId) {
        state.allocation(allocId).map(AllocationRow::nodeId).ifPresent(changed::add);
    }

    /** The nodes whose use the plan has changed, in the order in which it did, one for each change. */
    List<String> changed() {
        return Collections.unmodifiableList(changed);
    }

    /** Whether the plan stops it. */
    boolean isStopped(String allocId) {
        return stopped.contains(allocId);
    }

    /** Whether the plan places one of the group on the node. */
    boolean isPlacedOn(String nodeId, String group) {
        return placedOwn.containsKey(nodeId + "/" + group);
    }

    void place(String nodeId, String group, Resources resources, long diskMb) {
        changed.add(nodeId);
        placed.merge(nodeId, NodeUse.NONE.plus(resources, diskMb), NodeUse::plus);
        placedCores.merge(nodeId, resources.cores(), Integer::sum);
        placedOwn.merge(nodeId, 1, Integer::sum);
        placedOwn.merge(nodeId + "/" + group, 1, Integer::sum);
    }

    /** The ports that an allocation will have that is to come. */
    void placePorts(NodeRow node, String name, String allocId, GroupNetwork wanted) {
        if (ports(node).give(wanted, allocId) instanceof NodePorts.Answer.Given(var given)) {
            placedPorts.computeIfAbsent(node.id(), id -> new ArrayList<>()).add(new PlacedPorts(name, allocId, given));
        }
    }

    /** Who has which ports of a node. */
    NodePorts ports(NodeRow node) {
        NodePorts ports = new NodePorts(node);
        for (AllocationRow allocation : state.openAllocationsOnNode(node.id())) {
            if (uses(allocation, job) && !stopped.contains(allocation.id())) {
                ports.take(allocation);
            }
        }
        for (PlacedPorts placed : placedPorts.getOrDefault(node.id(), List.of())) {
            ports.take(placed.name(), placed.allocId(), placed.ports());
        }
        return ports;
    }

    /**
     * Whether an allocation uses its node as a job's plan sees it. One of that job's that was stopped to be updated
     * makes room for what replaces it, be it by an earlier part of the plan.
     */
    public static boolean uses(AllocationRow row, JobId job) {
        boolean gives = row.desired() == DesiredStatus.STOP
                && row.wanted().desiredDescription().equals(UPDATED)
                && row.job().equals(job);
        return !row.isEnded() && !gives;
    }

    /** What is in use on a node: what has not ended there, and what is to come. */
    NodeUse used(String nodeId) {
        NodeUse used = state.use(nodeId).plus(placed.getOrDefault(nodeId, NodeUse.NONE));
        for (AllocationRow row : ownOpen(nodeId)) {
            if (!uses(row, job) || stopped.contains(row.id())) {
                used = used.minus(row);
            }
        }
        return used;
    }

    private List<AllocationRow> ownOpen(String nodeId) {
        return ownOpen.getOrDefault(nodeId, List.of());
    }

    /** How many cores of a node tasks can still be given. */
    int freeCores(NodeFacts node) {
        return Cores.of(state, node).free() - placedCores.getOrDefault(node.id(), 0);
    }

    /**
     * How many allocations of the job, or of one of its groups, are on nodes of each value of an attribute. Nodes that
     * have no such attribute count for none.
     *
     * @param attribute such as <code>${node.datacenter}</code>
     */
    Map<String, Integer> byValue(String attribute, Optional<String> group) {
        Set<String> nodes = new HashSet<>(placed.keySet());
        nodes.addAll(ownOpen.keySet());
        Map<String, Integer> counts = new HashMap<>();
        for (String id : nodes) {
            int own = ownOn(id, group);
            Optional<NodeRow> node = state.node(id);
            if (own > 0 && node.isPresent()) {
                String value = Attributes.resolve(attribute, node.get().facts());
                if (value != null) {
                    counts.merge(value, own, Integer::sum);
                }
            }
        }
        return counts;
    }

    /** How many allocations of the job, or of one of its groups, are on a node. */
    int ownOn(String nodeId, Optional<String> group) {
        if (!ownOpen.containsKey(nodeId) && !placedOwn.containsKey(nodeId)) {
            return 0;
        }
        long running = ownOpen(nodeId).stream()
                .filter(a -> !a.isTerminal() && !stopped.contains(a.id()))
                .filter(a -> group.isEmpty() || a.group().equals(group.get()))
                .count();
        return (int) running
                + placedOwn.getOrDefault(nodeId + group.map(name -> "/" + name).orElse(""), 0);
    }
}
