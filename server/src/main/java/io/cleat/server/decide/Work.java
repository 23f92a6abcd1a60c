package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ChangeCodec;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.OperationRow;
import io.cleat.state.PlacementMetric;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A decision in the making: the image with the changes so far applied, so that each step sees what the steps before it
 * did. Used by one thread, for one decision.
 */
final class Work {
    private final long version;
    private final Instant now;
    private final List<Change> changes = new ArrayList<>();
    private final ClusterState before;
    private final int part;
    private final int level;
    private ClusterState state;
    private int applied;
    private int measured;
    private int bytes;

    Work(ClusterState state, DecideContext context) {
        this.before = state;
        this.state = state;
        this.version = context.version();
        this.now = context.decidedAt();
        this.part = context.part();
        this.level = context.featureLevel();
    }

    /** Whether each member reads what is written from that feature level on. */
    boolean reads(int featureLevel) {
        return level >= featureLevel;
    }

    /** Made once somebody asks for it: most decisions end with a change that none of their steps looks at. */
    ClusterState state() {
        if (applied < changes.size()) {
            state = state.apply(changes.subList(applied, changes.size()), version, now);
            applied = changes.size();
        }
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

    void add(Change asked) {
        changes.add(bounded(asked));
    }

    /**
     * Older programs kept something of each node in a row; it goes when the row is written. And what is only told of a
     * call waits until each member reads it.
     */
    private Change bounded(Change change) {
        return switch (change) {
            case Change.OperationPut(OperationRow row)
            when level < Change.PAST_LEVEL ->
                new Change.OperationPut(row.withPast(row.past().withoutTold()));
            case Change.AllocationPut(AllocationRow row)
            when !row.placed().metric().isBounded() ->
                new Change.AllocationPut(row.metric(row.placed().metric().bounded()));
            case Change.EvaluationPut(EvaluationRow row)
            when !row.outcome().failedGroups().values().stream().allMatch(PlacementMetric::isBounded) -> {
                Map<String, PlacementMetric> failed = new TreeMap<>();
                row.outcome().failedGroups().forEach((group, metric) -> failed.put(group, metric.bounded()));
                yield new Change.EvaluationPut(row.failedGroups(failed));
            }
            default -> change;
        };
    }

    /**
     * Whether one more row may be changed by what goes over rows. A decision that has changed nothing yet has room, so
     * that each part gets on.
     */
    boolean hasRoom() {
        measure();
        return changes.isEmpty() || bytes < part;
    }

    /** How many more changes, or parts of one, of that size may be made. */
    int roomFor(int bytesEach) {
        measure();
        int room = Math.max(0, part - bytes) / bytesEach;
        return changes.isEmpty() ? Math.max(1, room) : room;
    }

    private void measure() {
        if (measured < changes.size()) {
            bytes += ChangeCodec.size(changes.subList(measured, changes.size()));
            measured = changes.size();
        }
    }

    <R> Decision<Change, R> accept(R reply) {
        return new Decision.Accept<>(changes, reply);
    }

    static <R> Decision<Change, R> refuse(Refusal refusal) {
        return new Decision.Reject<>(refusal);
    }
}
