package io.cleat.clusterapi.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.cleat.api.Json;
import io.cleat.api.NetworkBlocks;
import io.cleat.model.AllocatedPort;
import io.cleat.model.GroupNetwork;
import io.cleat.model.HostNetwork;
import io.cleat.model.NodeAddress;
import io.cleat.model.NodeNetwork;
import io.cleat.model.PortRange;
import io.cleat.model.PortRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Networks as the API shows them. */
final class NetworkViewTest {
    private static final List<PortRange> KEPT = List.of(new PortRange(53, 53));
    private static final NodeNetwork NETWORK = new NodeNetwork(
            20_000,
            32_000,
            List.of(),
            List.of(
                    address("default", "192.0.2.2", List.of()),
                    address("default", "fd00::2", List.of()),
                    address("inner", "10.0.0.2", KEPT)),
            Map.of("inner", new HostNetwork("10.0.0.0/24", "", KEPT)),
            List.of("bridge"));

    private static NodeAddress address(String network, String address, List<PortRange> reserved) {
        return new NodeAddress(network, address, 24, "eth0", "02:fc:00:00:00:01", 1000, reserved);
    }

    private static void assertShown(String json, @Nullable Object shown) {
        assertEquals(
                json.replace('\'', '"').replace("\n", ""),
                Json.toTree(Objects.requireNonNull(shown)).toString());
    }

    @Test
    void aNodeShowsWhatItMakesAndItsAddresses() {
        assertShown("""
                [{'Mode':'bridge'},\
                {'CIDR':'192.0.2.2/32','Device':'eth0','IP':'192.0.2.2','MBits':1000,'Mode':'host'},\
                {'CIDR':'fd00::2/128','Device':'eth0','IP':'fd00::2','MBits':1000,'Mode':'host'}]
                """, NetworkView.ips(NETWORK));
        assertShown("""
                [{'Addresses':null,'Device':'','MacAddress':'','Mode':'bridge','Speed':0},\
                {'Addresses':[\
                {'Address':'192.0.2.2','Alias':'default','Family':'ipv4','Gateway':'','ReservedPorts':''},\
                {'Address':'fd00::2','Alias':'default','Family':'ipv6','Gateway':'','ReservedPorts':''},\
                {'Address':'10.0.0.2','Alias':'inner','Family':'ipv4','Gateway':'','ReservedPorts':'53'}],\
                'Device':'eth0','MacAddress':'02:fc:00:00:00:01','Mode':'host','Speed':1000}]
                """, NetworkView.interfaces(NETWORK));
        assertShown(
                "{'inner':{'CIDR':'10.0.0.0/24','Interface':'','Name':'inner','ReservedPorts':'53'}}",
                NetworkView.hostNetworks(NETWORK));
    }

    @Test
    void aNodeThatSaysNothing_showsNothing() {
        assertNull(NetworkView.ips(NodeNetwork.NONE));
        assertNull(NetworkView.interfaces(NodeNetwork.NONE));
        assertNull(NetworkView.hostNetworks(NodeNetwork.NONE));
    }

    @Test
    void anAllocationShowsThePortsThatItWasGiven() {
        GroupNetwork network = new GroupNetwork(
                "host",
                "",
                null,
                List.of(
                        new PortRequest("http", 0, 80, "default", false),
                        new PortRequest("admin", 9090, 0, "inner", false)),
                Map.of());
        assertShown(
                """
                {'CIDR':'','CNI':null,'DNS':null,'Device':'eth0',\
                'DynamicPorts':[{'HostNetwork':'default','IgnoreCollision':false,'Label':'http','To':80,'Value':20123}],\
                'Hostname':'','IP':'10.0.0.2','MBits':0,'Mode':'host',\
                'ReservedPorts':[{'HostNetwork':'inner','IgnoreCollision':false,'Label':'admin','To':0,'Value':9090}]}
                """,
                NetworkBlocks.allocated(
                        network,
                        "eth0",
                        List.of(
                                new AllocatedPort("admin", 9090, 0, "10.0.0.2", false),
                                new AllocatedPort("http", 20_123, 80, "192.0.2.2", false))));
    }
}
