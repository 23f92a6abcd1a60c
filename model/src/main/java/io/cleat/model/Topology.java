package io.cleat.model;

import io.cleat.base.Ordered;
import java.util.Map;

/** A place that storage can be reached from, as segment names and values (CSI specification, Topology). */
public record Topology(Map<String, String> segments) {
    public Topology {
        segments = Ordered.copyOf(segments);
    }
}
