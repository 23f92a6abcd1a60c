package io.cleat.model;

import java.util.List;

/** How names are resolved, in the words of {@code resolv.conf}; what is empty is the node's. */
public record NetworkDns(List<String> servers, List<String> searches, List<String> options) {
    /** As the node does it. */
    public static final NetworkDns OF_NODE = new NetworkDns(List.of(), List.of(), List.of());

    public NetworkDns {
        servers = List.copyOf(servers);
        searches = List.copyOf(searches);
        options = List.copyOf(options);
    }
}
