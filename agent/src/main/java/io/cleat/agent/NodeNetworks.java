package io.cleat.agent;

import io.cleat.artifact.AddressRange;
import io.cleat.base.IpText;
import io.cleat.model.HostNetwork;
import io.cleat.model.NodeAddress;
import io.cleat.model.NodeNetwork;
import io.cleat.model.PortRange;
import io.cleat.model.PortRequest;
import java.io.IOException;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the addresses of the machine of which jobs are given ports: that by which the machine is seen from
 * elsewhere, with the others of its interface, and those of the networks that the operator has named. A machine that
 * nobody sees has those of its loopback interface.
 */
public final class NodeNetworks {
    private static final Logger LOG = LoggerFactory.getLogger(NodeNetworks.class);

    private NodeNetworks() {}

    /**
     * As the machine is now.
     *
     * @param machine says which address is the usual one
     * @param modes of networks that allocations may have of their own
     */
    public static NodeNetwork look(NetworkSettings settings, Machine machine, List<String> modes) {
        List<NodeAddress> addresses = new ArrayList<>();
        try {
            String own = machine.attributes().getOrDefault("unique.network.ip-address", "");
            List<NetworkInterface> interfaces = NetworkInterface.networkInterfaces()
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .toList();
            addresses.addAll(usual(interfaces, own));
            for (var named : new TreeMap<>(settings.hostNetworks()).entrySet()) {
                addresses.addAll(of(interfaces, named.getKey(), named.getValue()));
            }
        } catch (SocketException unreadable) {
            LOG.warn("this machine's network interfaces cannot be read: {}", unreadable.toString());
        }
        return new NodeNetwork(
                settings.dynamic().first(),
                settings.dynamic().last(),
                settings.reserved(),
                addresses,
                settings.hostNetworks(),
                modes);
    }

    /** The address by which it is seen comes first. */
    private static List<NodeAddress> usual(List<NetworkInterface> interfaces, String own) throws SocketException {
        List<NodeAddress> addresses = new ArrayList<>();
        for (NetworkInterface each : interfaces) {
            boolean isSeen = own.isEmpty()
                    ? each.isLoopback()
                    : each.inetAddresses()
                            .anyMatch(address -> IpText.of(address).equals(own));
            if (isSeen && addresses.isEmpty()) {
                for (InterfaceAddress address : each.getInterfaceAddresses()) {
                    if (!address.getAddress().isLinkLocalAddress()) {
                        addresses.add(address(PortRequest.DEFAULT, each, address, List.of()));
                    }
                }
            }
        }
        addresses.sort(
                Comparator.comparing((NodeAddress each) -> !each.address().equals(own))
                        .thenComparing(NodeAddress::isV6));
        return addresses;
    }

    private static List<NodeAddress> of(List<NetworkInterface> interfaces, String name, HostNetwork network)
            throws SocketException {
        List<NodeAddress> addresses = new ArrayList<>();
        for (NetworkInterface each : interfaces) {
            if (!network.device().isEmpty() && !network.device().equals(each.getName())) {
                continue;
            }
            for (InterfaceAddress address : each.getInterfaceAddresses()) {
                boolean isIn = network.cidr().isEmpty()
                        ? !address.getAddress().isLinkLocalAddress()
                        : AddressRange.parse(network.cidr())
                                .map(range -> range.has(address.getAddress()))
                                .orElse(false);
                if (isIn) {
                    addresses.add(address(name, each, address, network.reservedPorts()));
                }
            }
        }
        addresses.sort(Comparator.comparing(NodeAddress::isV6));
        if (addresses.isEmpty()) {
            LOG.warn(
                    "host network {}: this machine has no address of it: {}{}", name, network.cidr(), network.device());
        }
        return addresses;
    }

    private static NodeAddress address(
            String network, NetworkInterface device, InterfaceAddress address, List<PortRange> reserved)
            throws SocketException {
        byte[] mac = device.getHardwareAddress();
        return new NodeAddress(
                network,
                IpText.of(address.getAddress()),
                address.getNetworkPrefixLength(),
                device.getName(),
                mac == null ? "" : HexFormat.ofDelimiter(":").formatHex(mac),
                speed(device.getName()),
                reserved);
    }

    /** Mbit/s; 0 where the kernel does not know. */
    private static int speed(String device) {
        try {
            String said =
                    Files.readString(Path.of("/sys/class/net", device, "speed")).strip();
            return Math.max(0, Integer.parseInt(said));
        } catch (IOException | NumberFormatException unknown) {
            return 0;
        }
    }
}
