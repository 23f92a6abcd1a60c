package io.cleat.server.session;

import io.cleat.model.ControllerCapability;
import io.cleat.model.PluginInstance;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;

/** Whether a plugin's volumes have to be attached to a node before it may stage them. */
public enum AttachNeed {
    NEEDED,
    NOT_NEEDED,
    /** No instance is there to tell: nothing is done until one is. */
    UNKNOWN;

    public static AttachNeed of(ClusterState state, String pluginId) {
        boolean isThere = false;
        boolean isRequired = false;
        boolean isTold = false;
        for (NodeRow node : state.nodesWithPlugin(pluginId)) {
            for (PluginInstance instance : node.facts().plugins()) {
                if (!instance.pluginId().equals(pluginId)) {
                    continue;
                }
                isThere = true;
                isRequired |= instance.requiresController();
                PluginInstance.Controller service = instance.controller();
                if (service != null) {
                    isTold = true;
                    if (service.capabilities()
                            .contains(ControllerCapability.PUBLISH_UNPUBLISH_VOLUME)) {
                        return NEEDED;
                    }
                }
            }
        }
        if (!isThere || (isRequired && !isTold)) {
            return UNKNOWN;
        }
        return NOT_NEEDED;
    }
}
