package io.cleat.model;

import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of one instance of a plugin that it runs.
 *
 * @param allocId the allocation whose task it is
 * @param healthDescription why it is unhealthy, or {@code healthy}
 * @param provider the vendor's name (CSI specification, GetPluginInfoResponse.name)
 * @param requiresController whether the plugin has a controller service (CONTROLLER_SERVICE)
 * @param requiresTopologies whether its volumes are not reachable from everywhere
 * @param updatedAt since when all else is so
 * @param controller present if this instance serves the controller service
 * @param node present if this instance serves the node service
 */
public record PluginInstance(
        String pluginId,
        String allocId,
        boolean healthy,
        String healthDescription,
        String provider,
        String version,
        boolean requiresController,
        boolean requiresTopologies,
        Instant updatedAt,
        @Nullable Controller controller,
        @Nullable Node node) {
    /** As the node said it before, if nothing has changed since. */
    public PluginInstance since(PluginInstance before) {
        return at(before.updatedAt).equals(before) ? before : this;
    }

    private PluginInstance at(Instant time) {
        return new PluginInstance(
                pluginId,
                allocId,
                healthy,
                healthDescription,
                provider,
                version,
                requiresController,
                requiresTopologies,
                time,
                controller,
                node);
    }

    /**
     * The controller service's announcements.
     *
     * @param expandsOffline whether volumes are expanded only while they are published nowhere (CSI specification,
     *     PluginCapability.VolumeExpansion: OFFLINE and not ONLINE)
     */
    public record Controller(Set<ControllerCapability> capabilities, boolean expandsOffline) {
        public Controller {
            capabilities = new TreeSet<>(capabilities);
        }
    }

    /**
     * The node service's announcements.
     *
     * @param externalNodeId the provider's id of the node
     * @param maxVolumes how many volumes may be published there; {@link Long#MAX_VALUE} for no limit
     */
    public record Node(
            String externalNodeId,
            long maxVolumes,
            @Nullable Topology accessibleFrom,
            Set<NodeCapability> capabilities) {
        public Node {
            capabilities = new TreeSet<>(capabilities);
        }
    }
}
