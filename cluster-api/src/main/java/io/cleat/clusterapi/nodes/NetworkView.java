package io.cleat.clusterapi.nodes;

import io.cleat.api.AllocatedPort;
import io.cleat.api.InterfaceAddress;
import io.cleat.api.NetworkBlocks;
import io.cleat.api.NetworkResource;
import io.cleat.api.NodeHostNetwork;
import io.cleat.api.NodeInterface;
import io.cleat.api.NodeIp;
import io.cleat.model.GroupNetwork;
import io.cleat.model.NodeAddress;
import io.cleat.model.NodeNetwork;
import io.cleat.model.PortRange;
import io.cleat.model.PortRequest;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Networks of nodes, and what allocations were given of them. */
public final class NetworkView {
    private NetworkView() {}

    /** The networks that it makes, then its usual addresses. */
    static @Nullable List<NodeIp> ips(NodeNetwork network) {
        List<NodeIp> ips = new ArrayList<>();
        for (String mode : network.modes()) {
            ips.add(new NodeIp("", "", "", 0, mode));
        }
        for (NodeAddress each : network.addresses()) {
            if (each.network().equals(PortRequest.DEFAULT)) {
                ips.add(new NodeIp(
                        each.address() + (each.isV6() ? "/128" : "/32"),
                        each.device(),
                        each.address(),
                        each.mbits(),
                        GroupNetwork.HOST));
            }
        }
        return ips.isEmpty() ? null : ips;
    }

    /** Likewise by interface, with all its addresses. */
    static @Nullable List<NodeInterface> interfaces(NodeNetwork network) {
        List<NodeInterface> interfaces = new ArrayList<>();
        for (String mode : network.modes()) {
            interfaces.add(new NodeInterface(null, "", "", mode, 0));
        }
        Map<String, List<NodeAddress>> byDevice = new LinkedHashMap<>();
        for (NodeAddress each : network.addresses()) {
            byDevice.computeIfAbsent(each.device(), device -> new ArrayList<>()).add(each);
        }
        for (List<NodeAddress> addresses : byDevice.values()) {
            NodeAddress first = addresses.getFirst();
            interfaces.add(new NodeInterface(
                    addresses.stream().map(NetworkView::address).toList(),
                    first.device(),
                    first.mac(),
                    GroupNetwork.HOST,
                    first.mbits()));
        }
        return interfaces.isEmpty() ? null : interfaces;
    }

    private static InterfaceAddress address(NodeAddress address) {
        return new InterfaceAddress(
                address.address(),
                address.network(),
                address.isV6() ? "ipv6" : "ipv4",
                "",
                PortRange.text(address.reservedPorts()));
    }

    static @Nullable Map<String, NodeHostNetwork> hostNetworks(NodeNetwork network) {
        Map<String, NodeHostNetwork> networks = new TreeMap<>();
        network.hostNetworks()
                .forEach((name, each) -> networks.put(
                        name,
                        new NodeHostNetwork(each.cidr(), each.device(), name, PortRange.text(each.reservedPorts()))));
        return networks.isEmpty() ? null : networks;
    }

    /** The network that an allocation's tasks share; null if their group asks for none. */
    public static @Nullable List<NetworkResource> ofAllocation(ClusterState state, AllocationRow row) {
        Optional<GroupNetwork> network = state.jobVersion(row.jobVersion())
                .flatMap(jobVersion -> jobVersion.spec().group(row.group()))
                .flatMap(group -> Optional.ofNullable(group.network()));
        return network.map(each -> List.of(NetworkBlocks.allocated(
                        each, device(state, row), row.placed().ports())))
                .orElse(null);
    }

    /** The interface with the address of its first port. */
    private static String device(ClusterState state, AllocationRow row) {
        return row.placed().ports().stream()
                .findFirst()
                .flatMap(port -> state.node(row.nodeId()).map(NodeRow::facts).stream()
                        .flatMap(facts -> facts.network().addresses().stream())
                        .filter(each -> each.address().equals(port.hostIp()))
                        .findFirst())
                .map(NodeAddress::device)
                .orElse("");
    }

    public static @Nullable List<AllocatedPort> ports(AllocationRow row) {
        return row.placed().ports().isEmpty()
                ? null
                : row.placed().ports().stream()
                        .map(port -> new AllocatedPort(
                                port.hostIp(), port.ignoreCollision(), port.label(), port.to(), port.value()))
                        .toList();
    }
}
