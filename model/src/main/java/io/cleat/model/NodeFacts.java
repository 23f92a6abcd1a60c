package io.cleat.model;

import io.cleat.base.Ordered;
import io.cleat.base.Since;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a node says of itself.
 *
 * @param httpAddress {@code host:port}, or {@code unix://path}, of the agent's HTTP API
 * @param attributes such as {@code kernel.name}
 * @param drivers by name
 * @param total what tasks may use of the machine
 * @param diskMb MiB free for allocation directories
 * @param bootId changes when the machine boots: proof that nothing of before still runs, as long as it is the same
 *     machine, see {@link MachinePrint}
 * @param unclear what the node found below its volume root or running that it does not know, in words; while there is
 *     any, no volume is placed there
 * @param hostVolumes by name
 * @param network {@link NodeNetwork#NONE} of a node that gives no ports
 */
public record NodeFacts(
        String id,
        String name,
        String datacenter,
        String nodePool,
        String nodeClass,
        String httpAddress,
        Map<String, String> attributes,
        Map<String, String> meta,
        Map<String, DriverFacts> drivers,
        List<PluginInstance> plugins,
        Resources total,
        long diskMb,
        String bootId,
        List<String> unclear,
        @Since(13) Map<String, HostVolume> hostVolumes,
        @Since(15) NodeNetwork network) {
    public NodeFacts {
        attributes = Ordered.copyOf(attributes);
        meta = Ordered.copyOf(meta);
        drivers = Ordered.copyOf(drivers);
        plugins = List.copyOf(plugins);
        unclear = List.copyOf(unclear);
        hostVolumes = Ordered.copyOf(hostVolumes);
        network = Objects.requireNonNullElse(network, NodeNetwork.NONE);
    }

    /** What a node says that has no host volumes and gives no ports. */
    public NodeFacts(
            String id,
            String name,
            String datacenter,
            String nodePool,
            String nodeClass,
            String httpAddress,
            Map<String, String> attributes,
            Map<String, String> meta,
            Map<String, DriverFacts> drivers,
            List<PluginInstance> plugins,
            Resources total,
            long diskMb,
            String bootId,
            List<String> unclear) {
        this(
                id,
                name,
                datacenter,
                nodePool,
                nodeClass,
                httpAddress,
                attributes,
                meta,
                drivers,
                plugins,
                total,
                diskMb,
                bootId,
                unclear,
                HostVolume.NONE,
                NodeNetwork.NONE);
    }

    /** As said by the same node with these host volumes. */
    public NodeFacts withHostVolumes(Map<String, HostVolume> volumes) {
        return with(attributes, total, bootId, volumes, network);
    }

    /** As said by the same node of which tasks may use so much. */
    public NodeFacts withTotal(Resources usable) {
        return with(attributes, usable, bootId, hostVolumes, network);
    }

    /** As said by the same node from another boot, or another machine. */
    public NodeFacts from(String newBootId, MachinePrint print) {
        return with(print.in(attributes), total, newBootId, hostVolumes, network);
    }

    /** As said by the same node with these networks. */
    public NodeFacts withNetwork(NodeNetwork other) {
        return with(attributes, total, bootId, hostVolumes, other);
    }

    private NodeFacts with(
            Map<String, String> otherAttributes,
            Resources otherTotal,
            String otherBootId,
            Map<String, HostVolume> otherVolumes,
            NodeNetwork otherNetwork) {
        return new NodeFacts(
                id,
                name,
                datacenter,
                nodePool,
                nodeClass,
                httpAddress,
                otherAttributes,
                meta,
                drivers,
                plugins,
                otherTotal,
                diskMb,
                otherBootId,
                unclear,
                otherVolumes,
                otherNetwork);
    }
}
