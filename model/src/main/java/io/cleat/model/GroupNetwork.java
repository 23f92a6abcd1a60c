package io.cleat.model;

import io.cleat.base.Ordered;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The network that the tasks of a group share, and the ports that they want of their node.
 *
 * @param mode {@link #HOST}, {@link #NONE}, {@link #BRIDGE}, or {@link #CNI} and a network's name
 * @param hostname of the network's own; empty for the node's
 * @param dns null for the node's
 * @param ports labels are unique
 * @param cniArgs what a CNI network is told, by name
 */
public record GroupNetwork(
        String mode, String hostname, @Nullable NetworkDns dns, List<PortRequest> ports, Map<String, String> cniArgs) {
    /** The node's own network. */
    public static final String HOST = "host";

    /** A network with nothing in it but itself. */
    public static final String NONE = "none";

    /** A network of the allocation's own, behind the node's address. */
    public static final String BRIDGE = "bridge";

    /** What the mode of a network begins with that an operator has configured. */
    public static final String CNI = "cni/";

    public GroupNetwork {
        ports = List.copyOf(ports);
        cniArgs = Ordered.copyOf(cniArgs);
    }

    /** Whether the tasks see the node's own network. */
    public boolean isHost() {
        return mode.equals(HOST);
    }

    public Optional<PortRequest> port(String label) {
        return ports.stream().filter(port -> port.label().equals(label)).findFirst();
    }
}
