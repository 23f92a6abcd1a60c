package io.cleat.clusterapi.nodes;

import io.cleat.api.CsiTopology;
import io.cleat.api.PluginController;
import io.cleat.api.PluginInstance;
import io.cleat.api.PluginNode;
import io.cleat.model.ControllerCapability;
import io.cleat.model.NodeCapability;
import io.cleat.schedule.PluginHealth;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Instances of plugins on nodes: a node shows its own, a plugin those of all nodes. */
public final class InstanceView {
    private InstanceView() {}

    /** An entry of a map of controllers; null where the instance serves none. */
    public static @Nullable PluginInstance controller(io.cleat.model.PluginInstance instance, Health health) {
        io.cleat.model.PluginInstance.Controller controller = instance.controller();
        return controller == null ? null : instance(instance, health, controller(controller.capabilities()), null);
    }

    /** An entry of a map of nodes; null where the instance serves none. */
    public static @Nullable PluginInstance node(io.cleat.model.PluginInstance instance, Health health) {
        io.cleat.model.PluginInstance.Node node = instance.node();
        return node == null ? null : instance(instance, health, null, node(node));
    }

    /** Whether an instance counts as healthy, and why. */
    public record Health(boolean isHealthy, String description) {
        /** What the node itself said. */
        static Health asSaid(io.cleat.model.PluginInstance instance) {
            return new Health(instance.healthy(), instance.healthDescription());
        }

        /** An instance cannot be healthy on a node that is not there to be asked. */
        public static Health of(PluginHealth.Seen seen) {
            return seen.isWorking() || !seen.instance().healthy()
                    ? asSaid(seen.instance())
                    : new Health(
                            false,
                            "node " + seen.node().name() + " is "
                                    + seen.node().status().wire());
        }
    }

    private static PluginInstance instance(
            io.cleat.model.PluginInstance instance,
            Health health,
            @Nullable PluginController controller,
            @Nullable PluginNode node) {
        return new PluginInstance(
                instance.allocId(),
                controller,
                health.description(),
                health.isHealthy(),
                node,
                instance.pluginId(),
                instance.provider(),
                instance.version(),
                instance.requiresController(),
                instance.requiresTopologies(),
                instance.updatedAt());
    }

    private static PluginController controller(Set<ControllerCapability> can) {
        return new PluginController(
                can.contains(ControllerCapability.PUBLISH_UNPUBLISH_VOLUME),
                can.contains(ControllerCapability.CLONE_VOLUME),
                can.contains(ControllerCapability.VOLUME_CONDITION)
                        || can.contains(ControllerCapability.GET_VOLUME_HEALTH)
                        || can.contains(ControllerCapability.LIST_VOLUME_HEALTH),
                can.contains(ControllerCapability.CREATE_DELETE_VOLUME),
                can.contains(ControllerCapability.CREATE_DELETE_SNAPSHOT),
                can.contains(ControllerCapability.EXPAND_VOLUME),
                can.contains(ControllerCapability.GET_VOLUME),
                can.contains(ControllerCapability.GET_CAPACITY),
                can.contains(ControllerCapability.LIST_SNAPSHOTS),
                can.contains(ControllerCapability.LIST_VOLUMES),
                can.contains(ControllerCapability.LIST_VOLUMES_PUBLISHED_NODES),
                can.contains(ControllerCapability.PUBLISH_READONLY));
    }

    private static PluginNode node(io.cleat.model.PluginInstance.Node node) {
        Set<NodeCapability> can = node.capabilities();
        io.cleat.model.Topology reach = node.accessibleFrom();
        return new PluginNode(
                reach == null ? null : new CsiTopology(new TreeMap<>(reach.segments())),
                node.externalNodeId(),
                node.maxVolumes(),
                can.contains(NodeCapability.STAGE_UNSTAGE_VOLUME),
                can.contains(NodeCapability.VOLUME_CONDITION) || can.contains(NodeCapability.GET_VOLUME_HEALTH),
                can.contains(NodeCapability.EXPAND_VOLUME),
                can.contains(NodeCapability.GET_VOLUME_STATS));
    }
}
