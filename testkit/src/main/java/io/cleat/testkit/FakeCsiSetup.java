package io.cleat.testkit;

import io.cleat.csi.v1.ControllerServiceCapability;
import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.csi.v1.PluginCapability;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the fake plugin says of itself.
 *
 * @param maxVolumes as NodeGetInfo gives it; 0 means no limit
 * @param topology the node's segments; empty for none
 * @param capacity bytes in all, for GetCapacity and CreateVolume
 * @param effects what node calls really do
 * @param expansion when volumes may grow
 */
public record FakeCsiSetup(
        String name,
        String version,
        String nodeId,
        long maxVolumes,
        Map<String, String> topology,
        long capacity,
        Set<PluginCapability.Service.Type> services,
        Set<ControllerServiceCapability.RPC.Type> controller,
        Set<NodeServiceCapability.RPC.Type> node,
        NodeEffects effects,
        Set<PluginCapability.VolumeExpansion.Type> expansion) {
    /** What protobuf adds to each enum. */
    private static final Set<String> UNUSED = Set.of("UNKNOWN", "UNRECOGNIZED");

    /** A plugin that stages, attaches, creates, lists and knows its capacity of 1 TiB. */
    public static FakeCsiSetup standard() {
        return new FakeCsiSetup(
                "fake.csi.cleat.io",
                "1.0.0",
                "fake-node-1",
                0,
                Map.of(),
                1L << 40,
                Set.of(PluginCapability.Service.Type.CONTROLLER_SERVICE),
                Set.of(
                        ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME,
                        ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME,
                        ControllerServiceCapability.RPC.Type.LIST_VOLUMES,
                        ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES,
                        ControllerServiceCapability.RPC.Type.GET_CAPACITY,
                        ControllerServiceCapability.RPC.Type.PUBLISH_READONLY),
                Set.of(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME),
                NodeEffects.NONE,
                Set.of());
    }

    /** A plugin that announces all there is in CSI 1.13. */
    public static FakeCsiSetup whole() {
        return standard()
                .withServices(
                        without(PluginCapability.Service.Type.values()),
                        Set.of(PluginCapability.VolumeExpansion.Type.ONLINE))
                .withCapabilities(
                        without(ControllerServiceCapability.RPC.Type.values()),
                        without(NodeServiceCapability.RPC.Type.values()));
    }

    private static <E extends Enum<E>> Set<E> without(E[] values) {
        return Arrays.stream(values)
                .filter(value -> !UNUSED.contains(value.name()))
                .collect(Collectors.toSet());
    }

    public FakeCsiSetup {
        topology = Map.copyOf(topology);
        services = new TreeSet<>(services);
        controller = new TreeSet<>(controller);
        node = new TreeSet<>(node);
        expansion = new TreeSet<>(expansion);
    }

    public FakeCsiSetup withServices(
            Set<PluginCapability.Service.Type> offered, Set<PluginCapability.VolumeExpansion.Type> grows) {
        return new FakeCsiSetup(
                name, version, nodeId, maxVolumes, topology, capacity, offered, controller, node, effects, grows);
    }

    public FakeCsiSetup withIdentity(String newName, String newVersion) {
        return new FakeCsiSetup(
                newName,
                newVersion,
                nodeId,
                maxVolumes,
                topology,
                capacity,
                services,
                controller,
                node,
                effects,
                expansion);
    }

    public FakeCsiSetup withNode(String newNodeId, long max, Map<String, String> segments) {
        return new FakeCsiSetup(
                name, version, newNodeId, max, segments, capacity, services, controller, node, effects, expansion);
    }

    public FakeCsiSetup withEffects(NodeEffects real) {
        return new FakeCsiSetup(
                name, version, nodeId, maxVolumes, topology, capacity, services, controller, node, real, expansion);
    }

    public FakeCsiSetup withCapacity(long bytes) {
        return new FakeCsiSetup(
                name, version, nodeId, maxVolumes, topology, bytes, services, controller, node, effects, expansion);
    }

    /** The same plugin with these capabilities of its controller and its node service. */
    public FakeCsiSetup withCapabilities(
            Set<ControllerServiceCapability.RPC.Type> ofController, Set<NodeServiceCapability.RPC.Type> ofNode) {
        return new FakeCsiSetup(
                name,
                version,
                nodeId,
                maxVolumes,
                topology,
                capacity,
                services,
                ofController,
                ofNode,
                effects,
                expansion);
    }

    /** The same plugin with a node service alone. */
    public FakeCsiSetup withoutController() {
        return new FakeCsiSetup(
                name, version, nodeId, maxVolumes, topology, capacity, Set.of(), Set.of(), node, effects, expansion);
    }
}
