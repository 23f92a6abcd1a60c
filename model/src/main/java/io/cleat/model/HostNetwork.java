package io.cleat.model;

import java.util.List;

/**
 * A network of a node that its operator has named, so that ports can be asked for there.
 *
 * @param cidr which addresses are of it; empty for all of the device
 * @param device of which interface; empty for any
 * @param reservedPorts ports of it that nobody is given
 */
public record HostNetwork(String cidr, String device, List<PortRange> reservedPorts) {
    public HostNetwork {
        reservedPorts = List.copyOf(reservedPorts);
    }
}
