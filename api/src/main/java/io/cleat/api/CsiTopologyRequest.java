package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a volume is required, or preferred, to be reachable. */
public record CsiTopologyRequest(
        @Nullable List<CsiTopology> Preferred, @Nullable List<CsiTopology> Required) {}
