package io.cleat.state;

import io.cleat.model.ControllerCapability;
import io.cleat.model.NodeCapability;
import io.cleat.model.PluginInstance;
import java.util.Optional;
import org.pcollections.TreePMap;

/**
 * What the instances of a plugin on all nodes are together. It is kept with each change of a node, so that each step of
 * a claim may ask it, however many nodes run the plugin.
 */
public final class PluginPresence {
    public static final PluginPresence NONE =
            new PluginPresence(Counts.NONE, TreePMap.empty(), TreePMap.empty(), TreePMap.empty());

    private final Counts counts;

    /** How many announce each; those that none announces are not there. */
    private final TreePMap<ControllerCapability, Integer> ofControllers;

    private final TreePMap<NodeCapability, Integer> ofNodes;

    /** How many each node has, by its id; nodes without any are not there. */
    private final TreePMap<String, Integer> workingControllers;

    private PluginPresence(
            Counts counts,
            TreePMap<ControllerCapability, Integer> ofControllers,
            TreePMap<NodeCapability, Integer> ofNodes,
            TreePMap<String, Integer> workingControllers) {
        this.counts = counts;
        this.ofControllers = ofControllers;
        this.ofNodes = ofNodes;
        this.workingControllers = workingControllers;
    }

    /** Whether an instance is healthy, and its node there to ask it. */
    public static boolean isWorking(NodeRow node, PluginInstance instance) {
        return instance.healthy() && node.status() == NodeStatus.READY;
    }

    /**
     * How many instances there are of each kind.
     *
     * @param all of them
     * @param controllers that serve the controller service
     * @param workingControllers those of them that can be asked now
     * @param nodes that serve the node service
     * @param workingNodes likewise
     * @param needingController that say the plugin has a controller service
     * @param expandingOffline that expand volumes only while they are published nowhere
     */
    public record Counts(
            int all,
            int controllers,
            int workingControllers,
            int nodes,
            int workingNodes,
            int needingController,
            int expandingOffline) {
        static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0);

        private static Counts of(PluginInstance instance, boolean isWorking) {
            PluginInstance.Controller controller = instance.controller();
            int asController = controller == null ? 0 : 1;
            int asNode = instance.node() == null ? 0 : 1;
            return new Counts(
                    1,
                    asController,
                    isWorking ? asController : 0,
                    asNode,
                    isWorking ? asNode : 0,
                    instance.requiresController() ? 1 : 0,
                    controller != null && controller.expandsOffline() ? 1 : 0);
        }

        /** With so many more of what {@code one} is. */
        private Counts with(Counts one, int more) {
            return new Counts(
                    all + more * one.all,
                    controllers + more * one.controllers,
                    workingControllers + more * one.workingControllers,
                    nodes + more * one.nodes,
                    workingNodes + more * one.workingNodes,
                    needingController + more * one.needingController,
                    expandingOffline + more * one.expandingOffline);
        }
    }

    public Counts counts() {
        return counts;
    }

    /** Whether some instance announces this. */
    public boolean can(ControllerCapability capability) {
        return ofControllers.containsKey(capability);
    }

    public boolean can(NodeCapability capability) {
        return ofNodes.containsKey(capability);
    }

    /** The first node, by id, with an instance that serves the controller service and can be asked now. */
    public Optional<String> firstController() {
        return workingControllers.isEmpty() ? Optional.empty() : Optional.of(workingControllers.firstKey());
    }

    /**
     * With one instance more, or less.
     *
     * @param more 1, or -1 for one that is among them, as it was put in
     */
    PluginPresence with(NodeRow node, PluginInstance instance, int more) {
        boolean isWorking = isWorking(node, instance);
        PluginInstance.Controller controller = instance.controller();
        PluginInstance.Node asNode = instance.node();
        TreePMap<ControllerCapability, Integer> controllers = ofControllers;
        if (controller != null) {
            for (ControllerCapability each : controller.capabilities()) {
                controllers = counted(controllers, each, more);
            }
        }
        TreePMap<NodeCapability, Integer> nodes = ofNodes;
        if (asNode != null) {
            for (NodeCapability each : asNode.capabilities()) {
                nodes = counted(nodes, each, more);
            }
        }
        return new PluginPresence(
                counts.with(Counts.of(instance, isWorking), more),
                controllers,
                nodes,
                controller != null && isWorking ? counted(workingControllers, node.id(), more) : workingControllers);
    }

    private static <K> TreePMap<K, Integer> counted(TreePMap<K, Integer> counts, K key, int more) {
        int count = counts.getOrDefault(key, 0) + more;
        return count == 0 ? counts.minus(key) : counts.plus(key, count);
    }
}
