package io.cleat.model;

import io.cleat.base.Ordered;
import java.util.Map;

/** What tasks are told, and what services may say, of a port that their allocation was given. */
public final class PortVariables {
    private PortVariables() {}

    /**
     * By name. {@code NOMAD_PORT_x} is the port to listen on; {@code NOMAD_ADDR_x} is where others
     * reach it, with an IPv6 address in brackets.
     */
    public static Map<String, String> of(AllocatedPort port) {
        String label = EnvNames.of(port.label());
        String ip = port.hostIp();
        String host = ip.indexOf(':') < 0 ? ip : "[" + ip + "]";
        String address = host + ":" + port.value();
        return Ordered.ofEntries(
                Map.entry("NOMAD_IP_" + label, ip),
                Map.entry("NOMAD_PORT_" + label, Integer.toString(port.inside())),
                Map.entry("NOMAD_ADDR_" + label, address),
                Map.entry("NOMAD_HOST_IP_" + label, ip),
                Map.entry("NOMAD_HOST_PORT_" + label, Integer.toString(port.value())),
                Map.entry("NOMAD_HOST_ADDR_" + label, address),
                Map.entry("NOMAD_ALLOC_PORT_" + label, Integer.toString(port.inside())));
    }
}
