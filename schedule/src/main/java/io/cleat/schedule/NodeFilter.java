package io.cleat.schedule;

import io.cleat.state.NodeRow;
import java.util.Optional;

/** One rule that a node must meet; says why it does not. */
@FunctionalInterface
interface NodeFilter {
    /** Empty if the node meets the rule. */
    Optional<Rejection> reject(NodeRow node);
}
