package io.cleat.server.decide;

import io.cleat.model.ControllerCapability;
import io.cleat.model.PluginInstance;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What can be seen of a plugin: its instances, looked at where nodes name them. */
final class Plugins {
    private Plugins() {}

    /** An instance and the node it is on. */
    record Found(NodeRow node, PluginInstance instance) {}

    static List<Found> instances(ClusterState state, String pluginId) {
        List<Found> found = new ArrayList<>();
        for (NodeRow node : state.nodesWithPlugin(pluginId)) {
            for (PluginInstance instance : node.facts().plugins()) {
                if (instance.pluginId().equals(pluginId)) {
                    found.add(new Found(node, instance));
                }
            }
        }
        return found;
    }

    static boolean requiresController(ClusterState state, String pluginId) {
        return instances(state, pluginId).stream()
                .anyMatch(found -> found.instance().requiresController());
    }

    /** The instance that a controller call goes to: the healthy one on the first node by id. */
    static Optional<Found> controller(ClusterState state, String pluginId) {
        return instances(state, pluginId).stream()
                .filter(found -> found.node().status() == NodeStatus.READY)
                .filter(found -> found.instance().healthy())
                .filter(found -> found.instance().controller() != null)
                .findFirst();
    }

    static boolean can(ClusterState state, String pluginId, ControllerCapability capability) {
        return instances(state, pluginId).stream()
                .map(found -> found.instance().controller())
                .anyMatch(
                        service -> service != null && service.capabilities().contains(capability));
    }

    /** The provider's id of a node, as its instance of the plugin says. */
    static Optional<String> externalNodeId(ClusterState state, String pluginId, String nodeId) {
        return instances(state, pluginId).stream()
                .filter(found -> found.node().id().equals(nodeId))
                .map(found -> found.instance().node())
                .filter(Objects::nonNull)
                .map(PluginInstance.Node::externalNodeId)
                .findFirst();
    }
}
