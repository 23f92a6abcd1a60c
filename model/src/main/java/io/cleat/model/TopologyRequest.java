package io.cleat.model;

import java.util.List;

/** Where a new volume must or should be reachable from. */
public record TopologyRequest(List<Topology> required, List<Topology> preferred) {
    public static final TopologyRequest NONE = new TopologyRequest(List.of(), List.of());

    public TopologyRequest {
        required = List.copyOf(required);
        preferred = List.copyOf(preferred);
    }
}
