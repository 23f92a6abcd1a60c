package io.cleat.model;

import io.cleat.base.Ordered;
import java.time.Instant;
import java.util.Map;

/** Something that happened on a node, for people. */
public record NodeEvent(String subsystem, String message, Map<String, String> details, Instant at) {
    public NodeEvent {
        details = Ordered.copyOf(details);
    }
}
