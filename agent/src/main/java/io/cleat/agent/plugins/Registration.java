package io.cleat.agent.plugins;

import io.cleat.model.MountLoss;
import io.cleat.model.PluginInstance;
import org.jspecify.annotations.Nullable;

/**
 * One instance of a plugin, registered for one service.
 *
 * @param plugin the plugin's id
 * @param allocId the allocation whose task it is; one instance per allocation
 * @param socket the path of its socket on the host
 * @param hostRoot where its volumes are, on the host side
 * @param pluginRoot the same place as the plugin sees it
 * @param facts what it says of itself
 * @param onMountLoss what is done about mounts that die with it; null if they outlive it
 */
public record Registration(
        PluginKind kind,
        String plugin,
        String allocId,
        String socket,
        String hostRoot,
        String pluginRoot,
        PluginInstance facts,
        @Nullable MountLoss onMountLoss) {
    /** The same instance, of which other facts are known. */
    Registration saying(PluginInstance other) {
        return new Registration(kind, plugin, allocId, socket, hostRoot, pluginRoot, other, onMountLoss);
    }

    /** Whether the two are the same but for what changes with time alone. */
    boolean saysTheSameAs(Registration other) {
        return equals(other.saying(new PluginInstance(
                other.facts.pluginId(),
                other.facts.allocId(),
                other.facts.healthy(),
                other.facts.healthDescription(),
                other.facts.provider(),
                other.facts.version(),
                other.facts.requiresController(),
                other.facts.requiresTopologies(),
                facts.updatedAt(),
                other.facts.controller(),
                other.facts.node())));
    }
}
