package io.cleat.model;

import java.time.Instant;
import java.util.Map;

/** What a node says of one task driver. */
public record DriverFacts(
        boolean detected,
        boolean healthy,
        String healthDescription,
        Map<String, String> attributes,
        Instant updatedAt) {
    public DriverFacts {
        attributes = Map.copyOf(attributes);
    }
}
