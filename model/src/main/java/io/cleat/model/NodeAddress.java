package io.cleat.model;

import java.util.List;

/**
 * An address of a node.
 *
 * @param network whose it is: {@link PortRequest#DEFAULT}, or one that the operator has named
 * @param address without a prefix, such as {@code 192.0.2.2}
 * @param prefix bits of it that its network has
 * @param device the interface that has it
 * @param mac the interface's; empty if it has none
 * @param mbits Mbit/s of the interface; 0 if that is not known
 * @param reservedPorts ports of it that nobody is given
 */
public record NodeAddress(
        String network,
        String address,
        int prefix,
        String device,
        String mac,
        int mbits,
        List<PortRange> reservedPorts) {
    public NodeAddress {
        reservedPorts = List.copyOf(reservedPorts);
    }

    public boolean isV6() {
        return address.indexOf(':') >= 0;
    }
}
