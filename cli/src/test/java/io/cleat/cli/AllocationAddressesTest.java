package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.Allocation;
import io.cleat.api.Json;
import org.junit.jupiter.api.Test;

/** The ports of an allocation, as {@code alloc status} shows them. */
final class AllocationAddressesTest {
    private static String shown(String shared) throws Exception {
        String text =
                "{'ID':'a','AllocatedResources':{'Shared':{'DiskMB':1" + shared + "},'TaskLifecycles':{},'Tasks':{}}}";
        return AllocationView.addresses(Json.read(text.replace('\'', '"'), Allocation.class));
    }

    @Test
    void portsAreShownWithWhatTheyLeadTo() throws Exception {
        assertEquals(
                """
                Allocation Addresses (mode = "host"):
                Label   Dynamic  Address
                *admin  no       192.0.2.2:9090
                *http   yes      [fd00::2]:20123 -> 80""",
                shown(",'Networks':[{'Mode':'host','ReservedPorts':[{'Label':'admin','Value':9090}]}],"
                        + "'Ports':[{'Label':'admin','Value':9090,'HostIP':'192.0.2.2'},"
                        + "{'Label':'http','Value':20123,'To':80,'HostIP':'fd00::2'}]"));
    }

    @Test
    void withoutPorts_thereIsNoSuchSection() throws Exception {
        assertEquals("", shown(""));
    }
}
