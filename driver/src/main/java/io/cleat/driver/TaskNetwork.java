package io.cleat.driver;

import io.cleat.model.NetworkDns;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The network that a task sees, and how hosts are named there.
 *
 * @param namespace the file that holds the network namespace of its allocation; empty where the
 *     task sees the node's network
 * @param hostname of the allocation; empty for the node's
 * @param addresses of the allocation in its own network: of IPv4 before that of IPv6, none where it
 *     has none
 * @param dns how names are resolved; what is empty there is as on the node
 */
public record TaskNetwork(
        Optional<Path> namespace, String hostname, List<String> addresses, NetworkDns dns) {
    /** The node's own. */
    public static final TaskNetwork OF_NODE =
            new TaskNetwork(Optional.empty(), "", List.of(), NetworkDns.OF_NODE);

    public TaskNetwork {
        addresses = List.copyOf(addresses);
    }
}
