package io.cleat.model;

import io.cleat.base.Ordered;
import java.util.List;
import java.util.Map;

/**
 * What a node says of its networks.
 *
 * @param minDynamicPort the first of the ports that are given to whoever wants any; 0 for none
 * @param maxDynamicPort the last of them
 * @param reservedPorts ports of all its addresses that nobody is given
 * @param addresses in the order in which ports are looked for
 * @param hostNetworks what its operator has named, by name
 * @param modes of networks that it makes for allocations, such as {@link GroupNetwork#BRIDGE}
 */
public record NodeNetwork(
        int minDynamicPort,
        int maxDynamicPort,
        List<PortRange> reservedPorts,
        List<NodeAddress> addresses,
        Map<String, HostNetwork> hostNetworks,
        List<String> modes) {
    /** What a node says that gives no ports, as those of earlier programs. */
    public static final NodeNetwork NONE = new NodeNetwork(0, 0, List.of(), List.of(), Map.of(), List.of());

    /** The ports that are given to whoever wants any, where an operator says nothing else. */
    public static final int MIN_DYNAMIC_PORT = 20_000;

    public static final int MAX_DYNAMIC_PORT = 32_000;

    public NodeNetwork {
        reservedPorts = List.copyOf(reservedPorts);
        addresses = List.copyOf(addresses);
        hostNetworks = Ordered.copyOf(hostNetworks);
        modes = List.copyOf(modes);
    }

    /** The addresses of one of its networks, all of the family of the first. */
    public List<NodeAddress> addressesOf(String network) {
        List<NodeAddress> all = addresses.stream()
                .filter(each -> each.network().equals(network))
                .toList();
        return all.stream().filter(each -> each.isV6() == all.getFirst().isV6()).toList();
    }
}
