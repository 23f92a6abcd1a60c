package io.cleat.clusterapi.evaluations;

import io.cleat.api.Evaluation;
import io.cleat.api.EvaluationStub;
import io.cleat.api.Nanos;
import io.cleat.clusterapi.query.SortedInPasses;
import io.cleat.model.BlockedBy;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Evaluations. What a blocked one waits for stands in its status description. */
public final class EvaluationView {
    /** Oldest first. */
    static final Comparator<EvaluationRow> BY_AGE =
            Comparator.comparingLong(EvaluationRow::createVersion).thenComparing(EvaluationRow::id);

    private static final String PAUSED = "an operator has paused evaluations; they go on with: cleat operator scheduler"
            + " set-config -pause-eval-broker=false";

    private EvaluationView() {}

    /**
     * Evaluations in an order of theirs.
     *
     * @param rows gives the same rows as often as it is asked
     * @param from where to begin; null for the first
     */
    static Stream<EvaluationRow> inOrder(
            Supplier<Stream<EvaluationRow>> rows, Comparator<EvaluationRow> order, @Nullable EvaluationRow from) {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(
                        new SortedInPasses<>(rows, order, from, SortedInPasses.A_PASS), Spliterator.ORDERED),
                false);
    }

    public static Evaluation of(EvaluationRow row) {
        return of(row, null, description(row.statusDescription(), row.waits().blockedBy()));
    }

    /**
     * One that was asked for, which says so if an operator has it wait.
     *
     * @param related whether with those that led to it or followed from it, oldest first
     */
    public static Evaluation one(ClusterState state, EvaluationRow row, boolean related) {
        boolean waits =
                row.status() == EvaluationStatus.PENDING && state.scheduling().paused();
        return of(
                row,
                related ? related(state, row) : null,
                waits
                        ? PAUSED
                        : description(row.statusDescription(), row.waits().blockedBy()));
    }

    private static Evaluation of(EvaluationRow row, @Nullable List<EvaluationStub> related, String description) {
        return new Evaluation(
                row.chain().blockedEval(),
                null,
                row.createVersion(),
                Nanos.of(row.stamps().createdAt()),
                Objects.requireNonNullElse(row.outcome().deploymentId(), ""),
                !row.waits().blockedOn().isEmpty(),
                MetricView.byGroup(row.outcome().failedGroups()),
                row.id(),
                row.job().id(),
                row.asked().jobModifyVersion(),
                row.waits().blockedOn().isEmpty()
                        ? null
                        : row.waits().blockedOn().stream()
                                .map(id -> "csi-volume:" + id.namespace() + ":" + id.id())
                                .toList(),
                row.modifyVersion(),
                Nanos.of(row.stamps().modifiedAt()),
                row.job().namespace(),
                row.chain().nextEval(),
                row.asked().nodeId(),
                row.outcome().planned().isEmpty()
                        ? null
                        : PlannedView.of(row.outcome().planned()),
                row.chain().previousEval(),
                row.asked().priority(),
                row.outcome().queued().isEmpty()
                        ? null
                        : new TreeMap<>(row.outcome().queued()),
                related,
                row.outcome().snapshotVersion(),
                row.status().wire(),
                description,
                row.asked().triggeredBy().wire(),
                row.asked().type().wire(),
                row.waitUntil());
    }

    static String description(String description, @Nullable BlockedBy wait) {
        if (wait == null) {
            return description;
        }
        return description.isEmpty() ? Sentences.of(wait) : description + ": " + Sentences.of(wait);
    }

    private static EvaluationStub stub(EvaluationRow row) {
        return new EvaluationStub(
                row.chain().blockedEval(),
                row.createVersion(),
                Nanos.of(row.stamps().createdAt()),
                Objects.requireNonNullElse(row.outcome().deploymentId(), ""),
                row.id(),
                row.job().id(),
                row.modifyVersion(),
                Nanos.of(row.stamps().modifiedAt()),
                row.job().namespace(),
                row.chain().nextEval(),
                row.asked().nodeId(),
                row.chain().previousEval(),
                row.asked().priority(),
                row.status().wire(),
                description(row.statusDescription(), row.waits().blockedBy()),
                row.asked().triggeredBy().wire(),
                row.asked().type().wire(),
                row.waitUntil());
    }

    /** All that hang together with an evaluation, however far. */
    private static List<EvaluationStub> related(ClusterState state, EvaluationRow row) {
        Map<String, EvaluationRow> found = new HashMap<>();
        Deque<EvaluationRow> open = new ArrayDeque<>(List.of(row));
        List<EvaluationRow> all = state.evaluations().ofJob(row.job());
        while (!open.isEmpty()) {
            EvaluationRow next = open.pop();
            if (found.putIfAbsent(next.id(), next) == null) {
                all.stream().filter(other -> isLinked(next, other)).forEach(open::push);
            }
        }
        found.remove(row.id());
        return found.values().stream().sorted(BY_AGE).map(EvaluationView::stub).toList();
    }

    private static boolean isLinked(EvaluationRow one, EvaluationRow other) {
        return links(one).anyMatch(other.id()::equals) || links(other).anyMatch(one.id()::equals);
    }

    private static Stream<String> links(EvaluationRow row) {
        return Stream.of(
                row.chain().previousEval(), row.chain().nextEval(), row.chain().blockedEval());
    }
}
