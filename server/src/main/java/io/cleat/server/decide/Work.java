package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A decision in the making: the image with the changes so far applied, so that each step sees what
 * the steps before it did. Used by one thread, for one decision.
 */
final class Work {
    private final long version;
    private final Instant now;
    private final List<Change> changes = new ArrayList<>();
    private final ClusterState before;
    private ClusterState state;

    Work(ClusterState state, DecideContext context) {
        this.before = state;
        this.state = state;
        this.version = context.version();
        this.now = context.decidedAt();
    }

    ClusterState state() {
        return state;
    }

    /** The image that is decided on. */
    ClusterState before() {
        return before;
    }

    Instant now() {
        return now;
    }

    /** The number that this decision gets. */
    long version() {
        return version;
    }

    boolean hasChanges() {
        return !changes.isEmpty();
    }

    void add(Change change) {
        changes.add(change);
        state = state.apply(List.of(change), version, now);
    }

    <R> Decision<Change, R> accept(R reply) {
        return new Decision.Accept<>(changes, reply);
    }

    static <R> Decision<Change, R> refuse(Refusal refusal) {
        return new Decision.Reject<>(refusal);
    }
}
