package io.cleat.schedule;

import io.cleat.base.Refusal;
import io.cleat.model.Constraint;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.HostVolumeSpec;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * On which node a host volume is made: the one that was asked for, or the one of those that may have it which has the
 * fewest.
 */
public sealed interface HostVolumePlace {
    record On(NodeRow node) implements HostVolumePlace {}

    record Nowhere(Refusal why) implements HostVolumePlace {}

    /** Finds it; a pool or a node that is empty in {@code spec} may be any. */
    static HostVolumePlace find(ClusterState state, HostVolumeSpec spec) {
        if (!spec.nodeId().isEmpty()) {
            return onThat(state, spec);
        }
        int existing = 0;
        int pooled = 0;
        int infeasible = 0;
        Searches searches = new Searches();
        Optional<NodeRow> best = Optional.empty();
        Comparator<NodeRow> fewest = Comparator.comparingInt(
                        (NodeRow node) -> state.hostVolumes().onNode(node.id()).size())
                .thenComparing(NodeRow::id);
        for (NodeRow node : state.nodes()) {
            boolean isOfPool = spec.nodePool().isEmpty()
                    || spec.nodePool().equals(node.facts().nodePool());
            if (!node.isSchedulable() || !has(node, spec) || !meets(node, spec, searches)) {
                infeasible++;
            } else if (!isOfPool) {
                pooled++;
            } else if (isTaken(state, node, spec)) {
                existing++;
            } else if (best.isEmpty() || fewest.compare(node, best.get()) < 0) {
                best = Optional.of(node);
            }
        }
        if (best.isPresent()) {
            return new On(best.get());
        }
        return new Nowhere(new Refusal.Conflict("could not place volume \""
                + spec.name()
                + "\": no node meets constraints: "
                + existing
                + " nodes had existing volume, "
                + pooled
                + " nodes filtered by node pool governance, "
                + infeasible
                + " nodes were infeasible"));
    }

    private static HostVolumePlace onThat(ClusterState state, HostVolumeSpec spec) {
        Optional<NodeRow> node = state.node(spec.nodeId());
        if (node.isEmpty()) {
            return new Nowhere(new Refusal.NotFound("no such node: \""
                    + spec.nodeId()
                    + "\"; node_id is the whole id, as \"node status -verbose\" shows it"));
        }
        NodeRow there = node.get();
        return fault(state, there, spec)
                .<HostVolumePlace>map(why -> new Nowhere(new Refusal.Conflict(
                        "could not place volume \"" + spec.name() + "\": node " + there.name() + " " + why)))
                .orElseGet(() -> new On(there));
    }

    private static Optional<String> fault(ClusterState state, NodeRow node, HostVolumeSpec spec) {
        if (node.status() != NodeStatus.READY) {
            return Optional.of("is not heard: it is " + node.status().wire());
        }
        String pool = node.facts().nodePool();
        if (!spec.nodePool().isEmpty() && !spec.nodePool().equals(pool)) {
            return Optional.of(
                    "is in the pool \"" + pool + "\", and the volume is to be in \"" + spec.nodePool() + "\"");
        }
        if (!has(node, spec)) {
            return Optional.of("does not have host volume plugin \"" + spec.pluginId() + "\"");
        }
        if (!meets(node, spec, new Searches())) {
            return Optional.of("does not meet the constraints");
        }
        return isTaken(state, node, spec)
                ? Optional.of("already has a host volume \"" + spec.name() + "\"")
                : Optional.empty();
    }

    private static boolean has(NodeRow node, HostVolumeSpec spec) {
        // A node that takes in a directory is one that makes some.
        String plugin = spec.pluginId().isEmpty() ? HostVolumeNames.MKDIR : spec.pluginId();
        return node.facts().attributes().containsKey(HostVolumeNames.pluginAttribute(plugin));
    }

    private static boolean meets(NodeRow node, HostVolumeSpec spec, Searches searches) {
        List<Constraint> constraints = spec.constraints();
        return constraints.stream().allMatch(constraint -> new ConstraintFilter(constraint, searches).isMet(node));
    }

    private static boolean isTaken(ClusterState state, NodeRow node, HostVolumeSpec spec) {
        return node.facts().hostVolumes().containsKey(spec.name())
                || state.hostVolumes().onNode(node.id()).stream()
                        .anyMatch(volume -> volume.spec().name().equals(spec.name()));
    }
}
