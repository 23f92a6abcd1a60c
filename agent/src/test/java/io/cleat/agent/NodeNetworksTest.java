package io.cleat.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.network.CniSettings;
import io.cleat.model.HostNetwork;
import io.cleat.model.NodeAddress;
import io.cleat.model.NodeNetwork;
import io.cleat.model.PortRange;
import io.cleat.model.Resources;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The networks of the machine that the tests run on. */
final class NodeNetworksTest {
    @TempDir
    Path data;

    private static final Machine UNSEEN = new Machine(Map.of(), Resources.NONE, 0);

    @Test
    void theAddressByWhichItIsSeenIsTheFirst_withItsInterface() throws Exception {
        Machine machine = Machine.look(data);
        NodeNetwork network = NodeNetworks.look(NetworkSettings.USUAL, machine, List.of());
        NodeAddress first = network.addressesOf("default").getFirst();
        String seen = machine.attributes().getOrDefault("unique.network.ip-address", "127.0.0.1");
        assertEquals(seen, first.address());
        NetworkInterface device = NetworkInterface.getByInetAddress(InetAddress.getByName(first.address()));
        assertEquals(device.getName(), first.device());
        assertTrue(first.prefix() > 0 && first.prefix() <= 128, first.toString());
        assertEquals(20_000, network.minDynamicPort());
        assertEquals(32_000, network.maxDynamicPort());
    }

    @Test
    void aMachineThatNobodySees_givesPortsOfItsLoopback() {
        assertEquals(
                List.of("127.0.0.1"),
                NodeNetworks.look(NetworkSettings.USUAL, UNSEEN, List.of()).addressesOf("default").stream()
                        .map(NodeAddress::address)
                        .toList());
    }

    @Test
    void namedNetworksHaveTheAddressesOfTheirRangeOrInterface() {
        List<PortRange> reserved = List.of(new PortRange(80, 81));
        Map<String, HostNetwork> named = Map.of(
                "range", new HostNetwork("127.0.0.0/8", "", reserved),
                "device", new HostNetwork("", "lo", List.of()),
                "none", new HostNetwork("198.51.100.0/24", "", List.of()));
        NodeNetwork network = NodeNetworks.look(
                new NetworkSettings(new PortRange(9000, 9010), reserved, named, CniSettings.USUAL),
                UNSEEN,
                List.of("none"));
        NodeAddress local = network.addressesOf("range").getFirst();
        assertEquals(
                List.of("127.0.0.1", "lo", reserved), List.of(local.address(), local.device(), local.reservedPorts()));
        assertEquals("127.0.0.1", network.addressesOf("device").getFirst().address());
        assertEquals(List.of(), network.addressesOf("none"));
        assertEquals(named, network.hostNetworks());
        assertEquals(reserved, network.reservedPorts());
        assertEquals(9010, network.maxDynamicPort());
    }
}
