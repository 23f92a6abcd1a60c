package io.cleat.model;

import java.util.List;

/**
 * Allocations are to be spread over the values of an attribute of nodes.
 *
 * @param attribute such as <code>${node.datacenter}</code>
 * @param weight how much it counts beside others, 1 to 100
 * @param targets how many are wanted where; empty for as many of each value
 */
public record Spread(String attribute, int weight, List<Target> targets) {
    public Spread {
        targets = List.copyOf(targets);
    }

    /** @param percent of the allocations, 0 to 100 */
    public record Target(String value, int percent) {}
}
