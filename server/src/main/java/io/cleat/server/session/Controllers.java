package io.cleat.server.session;

import io.cleat.model.ClientStatus;
import io.cleat.model.PluginInstance;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import java.util.Optional;

/** Which instance of a plugin makes a controller call. */
public final class Controllers {
    private Controllers() {}

    /** An instance that can be called now. */
    public record Instance(String nodeId, String allocId) {}

    /** The healthy one on the first ready node, by the nodes' ids. */
    public static Optional<Instance> first(ClusterState state, String pluginId) {
        return state.nodesWithPlugin(pluginId).stream()
                .flatMap(node -> on(node, pluginId, "").stream())
                .findFirst();
    }

    /**
     * The one for a call. A call of unknown effect stays with its instance, which may still be at
     * it, unless that one has ended.
     */
    public static Optional<Instance> forOperation(ClusterState state, OperationRow row) {
        if (row.state() == OperationState.UNKNOWN && !isEnded(state, row.allocId())) {
            return state.node(row.nodeId())
                    .flatMap(node -> on(node, row.pluginId(), row.allocId()));
        }
        return first(state, row.pluginId());
    }

    private static Optional<Instance> on(NodeRow node, String pluginId, String allocId) {
        if (node.status() != NodeStatus.READY) {
            return Optional.empty();
        }
        return node.facts().plugins().stream()
                .filter(instance -> instance.pluginId().equals(pluginId))
                .filter(instance -> instance.healthy() && instance.controller() != null)
                .map(PluginInstance::allocId)
                .filter(id -> allocId.isEmpty() || id.equals(allocId))
                .map(id -> new Instance(node.id(), id))
                .findFirst();
    }

    /** By its node's word: that a node is not heard proves nothing. */
    private static boolean isEnded(ClusterState state, String allocId) {
        Optional<AllocationRow> row = state.allocation(allocId);
        return row.isEmpty() || (row.get().isEnded() && row.get().status() != ClientStatus.LOST);
    }
}
