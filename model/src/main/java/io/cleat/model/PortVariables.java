package io.cleat.model;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What tasks are told, and what services may say, of a port that their allocation was given. */
public final class PortVariables {
    private PortVariables() {}

    /**
     * By name. {@code NOMAD_PORT_x} is the port to listen on; {@code NOMAD_ADDR_x} is where others reach it, with an
     * IPv6 address in brackets; {@code NOMAD_ALLOC_ADDR_x} is where others of the allocation's own network do.
     *
     * @param own where the allocation is in a network of its own; null if it has none
     */
    public static Map<String, String> of(AllocatedPort port, @Nullable AllocAddress own) {
        String label = EnvNames.of(port.label());
        String inside = Integer.toString(port.inside());
        String address = address(port.hostIp(), port.value());
        SortedMap<String, String> variables = new TreeMap<>();
        variables.put("NOMAD_IP_" + label, port.hostIp());
        variables.put("NOMAD_PORT_" + label, inside);
        variables.put("NOMAD_ADDR_" + label, address);
        variables.put("NOMAD_HOST_IP_" + label, port.hostIp());
        variables.put("NOMAD_HOST_PORT_" + label, Integer.toString(port.value()));
        variables.put("NOMAD_HOST_ADDR_" + label, address);
        variables.put("NOMAD_ALLOC_PORT_" + label, inside);
        if (own != null && !own.address().isEmpty()) {
            variables.put("NOMAD_ALLOC_INTERFACE_" + label, own.interfaceName());
            variables.put("NOMAD_ALLOC_IP_" + label, own.address());
            variables.put("NOMAD_ALLOC_ADDR_" + label, address(own.address(), port.inside()));
        }
        return variables;
    }

    private static String address(String ip, int port) {
        return (ip.indexOf(':') < 0 ? ip : "[" + ip + "]") + ":" + port;
    }
}
