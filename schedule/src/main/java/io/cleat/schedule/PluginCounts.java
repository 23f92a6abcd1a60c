package io.cleat.schedule;

import io.cleat.model.PluginInstance;
import java.util.Optional;

/**
 * What clients are shown of a plugin beside each of its volumes. Deriving it looks at all nodes that run the plugin and
 * at the allocations of its jobs, so it is done once for an image, not for each volume.
 *
 * @param controllersExpected how many instances jobs want that serve the controller service
 * @param nodesExpected likewise the node service
 * @param provider as the instance says that was heard last; empty while no node runs the plugin
 * @param version likewise
 */
public record PluginCounts(
        boolean isControllerRequired,
        int controllersExpected,
        int controllersHealthy,
        int nodesExpected,
        int nodesHealthy,
        boolean isSchedulable,
        String provider,
        String version) {
    public static PluginCounts of(PluginHealth plugin) {
        Optional<PluginInstance> latest = plugin.latest();
        return new PluginCounts(
                plugin.isControllerRequired(),
                plugin.controllersExpected(),
                plugin.controllersHealthy(),
                plugin.nodesExpected(),
                plugin.nodesHealthy(),
                plugin.isSchedulable(),
                latest.map(PluginInstance::provider).orElse(""),
                latest.map(PluginInstance::version).orElse(""));
    }
}
