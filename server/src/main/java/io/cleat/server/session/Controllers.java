package io.cleat.server.session;

import io.cleat.model.ClientStatus;
import io.cleat.schedule.PluginHealth;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import java.util.List;
import java.util.Optional;

/** Which instance of a plugin makes a controller call. */
public final class Controllers {
    private Controllers() {}

    /** An instance that can be called now. */
    public record Instance(String nodeId, String allocId) {}

    /** The healthy ones on ready nodes, by the nodes' ids. */
    public static List<Instance> working(ClusterState state, String pluginId) {
        return PluginHealth.of(state, pluginId).workingControllers().stream()
                .map(Controllers::instance)
                .toList();
    }

    /**
     * The one for a call. A call of unknown effect stays with its instance, which may still be at it, unless that one
     * has ended.
     */
    public static Optional<Instance> forOperation(ClusterState state, OperationRow row) {
        PluginHealth plugin = PluginHealth.of(state, row.pluginId());
        if (row.state() == OperationState.UNKNOWN && !isEnded(state, row.allocId())) {
            return plugin.workingControllersOn(row.nodeId()).stream()
                    .map(Controllers::instance)
                    .filter(new Instance(row.nodeId(), row.allocId())::equals)
                    .findFirst();
        }
        return plugin.controller().map(Controllers::instance);
    }

    private static Instance instance(PluginHealth.Seen seen) {
        return new Instance(seen.node().id(), seen.instance().allocId());
    }

    /** By its node's word: that a node is not heard proves nothing. */
    private static boolean isEnded(ClusterState state, String allocId) {
        Optional<AllocationRow> row = state.allocation(allocId);
        return row.isEmpty() || (row.get().isEnded() && row.get().status() != ClientStatus.LOST);
    }
}
