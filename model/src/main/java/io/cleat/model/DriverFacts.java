package io.cleat.model;

import io.cleat.base.Ordered;
import java.time.Instant;
import java.util.Map;

/**
 * What a node says of one task driver.
 *
 * @param updatedAt since when all else is so
 */
public record DriverFacts(
        boolean detected,
        boolean healthy,
        String healthDescription,
        Map<String, String> attributes,
        Instant updatedAt) {
    public DriverFacts {
        attributes = Ordered.copyOf(attributes);
    }

    /** As the node said it before, if nothing has changed since. */
    public DriverFacts since(DriverFacts before) {
        DriverFacts same = new DriverFacts(detected, healthy, healthDescription, attributes, before.updatedAt);
        return same.equals(before) ? before : this;
    }
}
