package io.cleat.agent.task;

import io.cleat.model.AllocatedPort;
import io.cleat.model.EnvNames;
import java.util.Map;

/** What a task is told of a port that its allocation was given. */
final class PortVariables {
    private PortVariables() {}

    /**
     * By name. {@code NOMAD_PORT_x} is the port to listen on; {@code NOMAD_ADDR_x} is where others
     * reach it.
     */
    static Map<String, String> of(AllocatedPort port) {
        String label = EnvNames.of(port.label());
        String ip = port.hostIp();
        String host = ip.indexOf(':') < 0 ? ip : "[" + ip + "]";
        String address = host + ":" + port.value();
        return Map.of(
                "NOMAD_IP_" + label, ip,
                "NOMAD_PORT_" + label, Integer.toString(port.inside()),
                "NOMAD_ADDR_" + label, address,
                "NOMAD_HOST_IP_" + label, ip,
                "NOMAD_HOST_PORT_" + label, Integer.toString(port.value()),
                "NOMAD_HOST_ADDR_" + label, address,
                "NOMAD_ALLOC_PORT_" + label, Integer.toString(port.inside()));
    }
}
