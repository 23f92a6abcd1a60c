package io.cleat.agent;

import io.cleat.agent.network.CniSettings;
import io.cleat.base.Ordered;
import io.cleat.model.HostNetwork;
import io.cleat.model.NodeNetwork;
import io.cleat.model.PortRange;
import java.util.List;
import java.util.Map;

/**
 * What an operator says of a node's networks.
 *
 * @param dynamic the ports that are given to whoever wants any
 * @param reserved ports that nobody is given
 * @param hostNetworks by name: those whose ports jobs may ask for beside the usual one
 * @param cni the networks that allocations may have of their own
 */
public record NetworkSettings(
        PortRange dynamic, List<PortRange> reserved, Map<String, HostNetwork> hostNetworks, CniSettings cni) {
    public static final NetworkSettings USUAL = new NetworkSettings(
            new PortRange(NodeNetwork.MIN_DYNAMIC_PORT, NodeNetwork.MAX_DYNAMIC_PORT),
            List.of(),
            Map.of(),
            CniSettings.USUAL);

    public NetworkSettings {
        reserved = List.copyOf(reserved);
        hostNetworks = Ordered.copyOf(hostNetworks);
    }
}
