package io.cleat.schedule;

import io.cleat.state.NodeRow;
import java.util.Optional;

/** No two allocations of the job, or of the group, on one node. */
final class DistinctHostsFilter implements NodeFilter {
    private final Proposed proposed;
    private final Optional<String> group;

    /** @param group the group whose allocations must be apart; empty for all of the job's */
    DistinctHostsFilter(Proposed proposed, Optional<String> group) {
        this.proposed = proposed;
        this.group = group;
    }

    @Override
    public Optional<Rejection> reject(NodeRow node) {
        return proposed.ownOn(node.id(), group) > 0 ? Optional.of(Rejection.of("distinct_hosts")) : Optional.empty();
    }
}
