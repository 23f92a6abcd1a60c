package io.cleat.agent.plugins;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import io.cleat.csi.CsiTrouble;
import io.cleat.csi.NodeIdentity;
import io.cleat.csi.PluginCapability;
import io.cleat.csi.PluginChannel;
import io.cleat.csi.PluginIdentity;
import io.cleat.model.ControllerCapability;
import io.cleat.model.NodeCapability;
import io.cleat.model.PluginInstance;
import io.cleat.model.Topology;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks a plugin what it is and what it can do. */
final class PluginReading {
    private PluginReading() {}

    /** What a healthy instance says of itself. */
    static PluginInstance read(PluginTasks.PluginTask task, PluginChannel channel, Time time, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        PluginIdentity identity = channel.identity().info(deadline);
        Set<PluginCapability> services = channel.identity().capabilities(deadline);
        PluginInstance.Controller controller = null;
        if (task.spec().type().servesController() && services.contains(PluginCapability.CONTROLLER_SERVICE)) {
            controller = new PluginInstance.Controller(
                    sameNames(channel.controller().capabilities(deadline), ControllerCapability.class),
                    services.contains(PluginCapability.OFFLINE_EXPANSION)
                            && !services.contains(PluginCapability.ONLINE_EXPANSION));
        }
        return new PluginInstance(
                task.spec().id(),
                task.allocId(),
                true,
                identity.vendorVersion().isEmpty() ? "healthy; it tells no vendor_version, which CSI wants" : "healthy",
                identity.name(),
                identity.vendorVersion(),
                services.contains(PluginCapability.CONTROLLER_SERVICE),
                services.contains(PluginCapability.VOLUME_ACCESSIBILITY_CONSTRAINTS),
                time.now(),
                controller,
                task.spec().type().servesNode() ? node(channel, deadline) : null);
    }

    private static PluginInstance.Node node(PluginChannel channel, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        NodeIdentity node = channel.node().info(deadline);
        @Nullable
        Topology topology =
                node.topology().map(found -> new Topology(found.segments())).orElse(null);
        return new PluginInstance.Node(
                node.nodeId(),
                node.maxVolumes() == 0 ? Long.MAX_VALUE : node.maxVolumes(),
                topology,
                sameNames(channel.node().capabilities(deadline), NodeCapability.class));
    }

    /** The capabilities of {@code type} that are announced; what later specifications add is not used. */
    private static <E extends Enum<E>> Set<E> sameNames(Set<? extends Enum<?>> announced, Class<E> type) {
        Set<E> known = EnumSet.noneOf(type);
        for (E constant : type.getEnumConstants()) {
            if (announced.stream().anyMatch(each -> each.name().equals(constant.name()))) {
                known.add(constant);
            }
        }
        return known;
    }

    /** As an earlier agent has registered it; how it is now nobody knows yet. */
    static PluginInstance notAsked(PluginInstance instance) {
        return unhealthy(instance, "it has not answered since this agent started", instance.updatedAt());
    }

    /** The same instance, not healthy. */
    static PluginInstance unhealthy(PluginInstance instance, String why, Time time) {
        return unhealthy(instance, why, time.now());
    }

    private static PluginInstance unhealthy(PluginInstance instance, String why, Instant at) {
        return new PluginInstance(
                instance.pluginId(),
                instance.allocId(),
                false,
                why,
                instance.provider(),
                instance.version(),
                instance.requiresController(),
                instance.requiresTopologies(),
                at,
                instance.controller(),
                instance.node());
    }
}
