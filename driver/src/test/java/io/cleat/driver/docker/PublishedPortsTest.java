package io.cleat.driver.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.driver.docker.DockerBlock.Reading;
import io.cleat.model.AllocatedPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What of a node's ports leads into a container. */
final class PublishedPortsTest {
    private static final List<AllocatedPort> GIVEN = List.of(
            new AllocatedPort("http", 20_123, 80, "192.0.2.2", false),
            new AllocatedPort("alt", 20_124, 80, "fd00::2", false),
            new AllocatedPort("admin", 9090, 0, "192.0.2.2", false));

    private static DockerBlock block(String network, String... ports) {
        Reading reading = DockerBlock.read(
                Map.of("image", "redis:7", "network_mode", network, "ports", List.of(ports)), DockerSettings.STRICT);
        assertEquals(List.of(), reading.faults());
        return reading.block();
    }

    private static Map<String, String> to(String ip, String port) {
        return Map.of("HostIp", ip, "HostPort", port);
    }

    @Test
    void whatTheTaskNames_leadsToWhereItListens() {
        PublishedPorts ports = PublishedPorts.of(block("bridge", "http", "alt", "admin"), GIVEN);
        List<Map<String, String>> both = List.of(to("192.0.2.2", "20123"), to("fd00::2", "20124"));
        List<Map<String, String>> admin = List.of(to("192.0.2.2", "9090"));
        assertEquals(Map.of("80/tcp", both, "80/udp", both, "9090/tcp", admin, "9090/udp", admin), ports.bindings());
        assertEquals(
                Set.of("80/tcp", "80/udp", "9090/tcp", "9090/udp"),
                ports.exposed().keySet());
    }

    @Test
    void whatItDoesNotName_leadsNowhere() {
        assertEquals(
                Set.of("9090/tcp", "9090/udp"),
                PublishedPorts.of(block("bridge", "admin"), GIVEN).bindings().keySet());
        assertEquals(Map.of(), PublishedPorts.of(block("bridge"), GIVEN).bindings());
        assertEquals(Map.of(), PublishedPorts.of(block("host", "http"), GIVEN).bindings());
    }

    @Test
    void aLabelThatItsGroupDoesNotHave_isAFault() {
        List<String> faults = new ArrayList<>();
        PublishedPorts.check(block("bridge", "http", "htpp"), GIVEN, faults);
        assertEquals(List.of("Port \"htpp\" not found, check network block: its group has admin, alt, http"), faults);
        faults.clear();
        PublishedPorts.check(block("host", "http"), List.of(), faults);
        assertEquals(List.of("Port \"http\" not found, check network block: its group has no port"), faults);
    }

    @Test
    void aContainerWithoutANetwork_hasNoPorts() {
        Map<String, Object> config = Map.of("image", "redis:7", "network_mode", "none", "ports", List.of("http"));
        List<String> faults = DockerBlock.read(config, DockerSettings.STRICT).faults();
        assertEquals(1, faults.size(), faults.toString());
        assertEquals(0, faults.getFirst().indexOf("ports has http, and a container with"));
    }
}
