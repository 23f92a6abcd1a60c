package io.cleat.schedule;

import io.cleat.model.Constraint;
import io.cleat.state.NodeRow;
import java.util.Map;
import java.util.Optional;

/**
 * A value of an attribute has at most so many allocations of the job, or of one of its groups: one, where the
 * constraint gives no number.
 */
final class DistinctPropertyFilter implements NodeFilter {
    private final Constraint constraint;
    private final Map<String, Integer> counts;
    private final int most;

    /** @param group whose allocations count; empty for all of the job */
    DistinctPropertyFilter(Constraint constraint, Optional<String> group, Proposed proposed) {
        this.constraint = constraint;
        this.counts = proposed.byValue(constraint.left(), group);
        this.most = constraint.right().isEmpty() ? 1 : Integer.parseInt(constraint.right());
    }

    @Override
    public Optional<Rejection> reject(NodeRow node) {
        String value = Attributes.resolve(constraint.left(), node.facts());
        if (value == null) {
            return Optional.of(Rejection.of("missing property " + constraint.left()));
        }
        int there = counts.getOrDefault(value, 0);
        return there < most
                ? Optional.empty()
                : Optional.of(Rejection.of(
                        "distinct_property: " + constraint.left() + "=" + value + " used by " + there + " allocs"));
    }
}
