package io.cleat.driver.docker;

import io.cleat.model.AllocatedPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The ports of the node that lead into a container, as an engine takes them: each with TCP and UDP, and of the one
 * address that its allocation was given.
 */
record PublishedPorts(List<AllocatedPort> ports) {
    private static final List<String> PROTOCOLS = List.of("tcp", "udp");

    PublishedPorts {
        ports = List.copyOf(ports);
    }

    /** Those whose labels the block names; none in a container that has the node's own network. */
    static PublishedPorts of(DockerBlock block, List<AllocatedPort> given) {
        return new PublishedPorts(
                block.network().equals("host")
                        ? List.of()
                        : given.stream()
                                .filter(port -> block.ports().contains(port.label()))
                                .toList());
    }

    /** A label that the allocation has no port of is a mistake of the job's. */
    static void check(DockerBlock block, List<AllocatedPort> given, List<String> faults) {
        List<String> known = given.stream().map(AllocatedPort::label).sorted().toList();
        for (String label : block.ports()) {
            if (!known.contains(label)) {
                faults.add("Port \""
                        + label
                        + "\" not found, check network block: its group has "
                        + (known.isEmpty() ? "no port" : String.join(", ", known)));
            }
        }
    }

    /** The container's ports. */
    Map<String, Object> exposed() {
        Map<String, Object> exposed = new TreeMap<>();
        bindings().keySet().forEach(port -> exposed.put(port, Map.of()));
        return exposed;
    }

    /** What of the node leads to each of them. */
    Map<String, List<Map<String, String>>> bindings() {
        Map<String, List<Map<String, String>>> bindings = new TreeMap<>();
        for (AllocatedPort port : ports) {
            for (String protocol : PROTOCOLS) {
                bindings.computeIfAbsent(port.inside() + "/" + protocol, inside -> new ArrayList<>())
                        .add(Map.of("HostIp", port.hostIp(), "HostPort", Integer.toString(port.value())));
            }
        }
        return bindings;
    }
}
