package io.cleat.model;

import java.util.List;

/** How names are resolved, in the words of {@code resolv.conf}. */
public record NetworkDns(List<String> servers, List<String> searches, List<String> options) {
    public NetworkDns {
        servers = List.copyOf(servers);
        searches = List.copyOf(searches);
        options = List.copyOf(options);
    }
}
