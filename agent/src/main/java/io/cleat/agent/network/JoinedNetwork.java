package io.cleat.agent.network;

import io.cleat.model.AllocAddress;
import io.cleat.model.NetworkDns;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The network that an allocation is in.
 *
 * @param namespace the file that holds its network namespace; empty for the node's network
 * @param labels what the driver that has made the namespace wants to be told of it
 * @param address null if it has none of its own
 * @param dns how names are resolved; what is empty there is as on the node
 */
public record JoinedNetwork(
        Optional<Path> namespace,
        Map<String, String> labels,
        @Nullable AllocAddress address,
        NetworkDns dns) {
    /** The node's own. */
    public static final JoinedNetwork OF_NODE = new JoinedNetwork(Optional.empty(), Map.of(), null, NetworkDns.OF_NODE);

    public JoinedNetwork {
        labels = Map.copyOf(labels);
    }

    /** The same, with names resolved otherwise. */
    public JoinedNetwork with(NetworkDns otherwise) {
        return new JoinedNetwork(namespace, labels, address, otherwise);
    }
}
