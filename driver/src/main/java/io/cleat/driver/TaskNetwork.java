package io.cleat.driver;

import io.cleat.model.NetworkDns;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The network that a task sees, and how hosts are named there.
 *
 * @param namespace the file that holds the network namespace of its allocation; empty where the task sees the node's
 *     network
 * @param labels what the driver said of the namespace that has made it ({@link NetworkMaker})
 * @param hostname of the allocation; empty for the node's
 * @param addresses of the allocation in its own network: of IPv4 before that of IPv6, none where it has none
 * @param dns how names are resolved; what is empty there is as on the node
 */
public record TaskNetwork(
        Optional<Path> namespace, Map<String, String> labels, String hostname, List<String> addresses, NetworkDns dns) {
    /** The node's own. */
    public static final TaskNetwork OF_NODE =
            new TaskNetwork(Optional.empty(), Map.of(), "", List.of(), NetworkDns.OF_NODE);

    public TaskNetwork {
        labels = Map.copyOf(labels);
        addresses = List.copyOf(addresses);
    }
}
