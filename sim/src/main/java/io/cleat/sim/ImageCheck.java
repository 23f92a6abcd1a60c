package io.cleat.sim;

import io.cleat.model.AccessMode;
import io.cleat.model.BlockedBy;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.JobRow;
import io.cleat.state.JobStatus;
import io.cleat.state.NodeRow;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.TableName;
import io.cleat.state.VolumeKey;
import io.cleat.state.VolumeRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What must be true of every image that is ever applied. */
final class ImageCheck {
    private final ClusterState before;
    private final ClusterState state;

    private ImageCheck(ClusterState before, ClusterState state) {
        this.before = before;
        this.state = state;
    }

    /**
     * Looks at each table that changed, and at what others say of its rows.
     *
     * @param before the image that was checked last
     * @throws AssertionError naming what is not so
     */
    static void check(ClusterState before, ClusterState state) {
        ImageCheck check = new ImageCheck(before, state);
        boolean claims = check.isNew(TableName.CLAIMS);
        boolean allocations = check.isNew(TableName.ALLOCATIONS);
        if (claims) {
            check.countClaims();
            check.exclusion();
        }
        if (allocations) {
            check.countAllocations();
        }
        if (claims || allocations) {
            state.claims().all().forEach(check::claim);
            check.togetherOrNotAtAll();
        }
        if (check.isNew(TableName.JOBS)) {
            check.oneChildAtATime();
        }
        if (check.isNew(TableName.EVALUATIONS)) {
            check.evaluations();
        }
        if (check.isNew(TableName.ATTACHMENTS)) {
            check.attachments();
        }
        if (check.isNew(TableName.OPERATIONS)) {
            check.operations();
        }
    }

    private boolean isNew(TableName table) {
        return before.version(table) != state.version(table);
    }

    // ---- every index and count says what one walk through the rows says ----

    private void countClaims() {
        Collection<ClaimRow> claims = state.claims().all();
        same(claims.size(), TableName.CLAIMS);
        indexed(claims, ClaimRow::state, List.of(ClaimState.values()), state.claims()::in);
        indexed(claims, ClaimRow::key, state.volumes(), VolumeRow::key, state.claims()::of);
        indexed(claims, ClaimRow::nodeId, state.nodes(), NodeRow::id, state.claims()::onNode);
        indexed(claims, ClaimRow::allocId, state.allocations(), AllocationRow::id, state.claims()::ofAllocation);
    }

    private void countAllocations() {
        Collection<AllocationRow> rows = state.allocations();
        same(rows.size(), TableName.ALLOCATIONS);
        indexed(rows, AllocationRow::nodeId, state.nodes(), NodeRow::id, state::allocationsOnNode);
        indexed(rows, AllocationRow::job, state.jobs(), JobRow::id, state::allocationsOfJob);
    }

    private static <K, R, O> void indexed(
            Collection<R> rows,
            Function<R, K> keyOf,
            Collection<O> others,
            Function<O, K> keyOfOther,
            Function<K, List<R>> index) {
        indexed(rows, keyOf, others.stream().map(keyOfOther).toList(), index);
    }

    /** @param keys which the index must know too, with rows or without */
    private static <K, R> void indexed(
            Collection<R> rows, Function<R, K> keyOf, List<K> keys, Function<K, List<R>> index) {
        Map<K, List<R>> counted = new HashMap<>();
        for (K key : keys) {
            counted.put(key, new ArrayList<>());
        }
        for (R row : rows) {
            counted.computeIfAbsent(keyOf.apply(row), absent -> new ArrayList<>())
                    .add(row);
        }
        counted.forEach((key, expected) -> {
            List<R> found = index.apply(key);
            if (found.size() != expected.size() || !hasSame(found, expected)) {
                throw new AssertionError("the index has under " + key + ": " + found + ", there are " + expected);
            }
        });
    }

    /** The very same rows, in any order. */
    private static <R> boolean hasSame(List<R> found, List<R> expected) {
        Set<R> same = Collections.newSetFromMap(new IdentityHashMap<>());
        same.addAll(found);
        return same.size() == expected.size() && same.containsAll(expected);
    }

    private void same(int rows, TableName table) {
        if (rows != state.count(table)) {
            throw new AssertionError(table + ": counted " + state.count(table) + ", there are " + rows);
        }
    }

    // ---- what the rows say ----

    private void claim(ClaimRow claim) {
        Optional<AllocationRow> row = state.allocation(claim.allocId());
        require(row.isPresent(), "a claim without allocation", claim);
        AllocationRow allocation = row.orElseThrow();
        require(allocation.nodeId().equals(claim.nodeId()), "a claim on another node", claim);
        require(
                claim.state() == ClaimState.RELEASING == allocation.isTerminal(),
                "a claim that is released while wanted, or kept though over",
                claim);
        require(claim.holds() == claim.epoch() > 0, "an epoch without a grant", claim);
        if (claim.state() != ClaimState.GRANTED) {
            requireReason(claim.blockedBy(), claim);
        }
    }

    private void togetherOrNotAtAll() {
        state.claims().all().stream()
                .collect(Collectors.groupingBy(ClaimRow::allocId))
                .values()
                .forEach(claims -> {
                    boolean isWaiting = claims.getFirst().state() == ClaimState.WAITING;
                    require(
                            claims.stream().allMatch(each -> each.state() == ClaimState.WAITING == isWaiting),
                            "granted in part",
                            claims);
                });
    }

    private void evaluations() {
        for (EvaluationRow row : state.evaluations().in(EvaluationStatus.BLOCKED)) {
            requireReason(row.waits().blockedBy(), row);
            require(row.waits().blockedOnAny() || !row.waits().blockedOn().isEmpty(), "nothing can wake it", row);
        }
    }

    private void attachments() {
        Collection<AttachmentRow> rows = state.attachments().all();
        same(rows.size(), TableName.ATTACHMENTS);
        indexed(rows, row -> row.id().nodeId(), state.nodes(), NodeRow::id, state.attachments()::onNode);
        for (AttachmentRow row : rows) {
            if (row.state() != AttachmentState.ATTACHED) {
                requireReason(row.blockedBy(), row);
            }
        }
    }

    private void operations() {
        Collection<OperationRow> rows = state.operations().all();
        same(rows.size(), TableName.OPERATIONS);
        indexed(rows, OperationRow::state, List.of(OperationState.values()), state.operations()::in);
        for (OperationRow row : rows) {
            if (!row.isDone()) {
                requireReason(row.blockedBy(), row);
            }
            require(
                    row.state() != OperationState.UNKNOWN || row.nextTry() != null,
                    "unknown, and not tried again",
                    row);
        }
    }

    private void exclusion() {
        Map<VolumeKey, List<ClaimRow>> holding =
                state.claims().all().stream().filter(ClaimRow::holds).collect(Collectors.groupingBy(ClaimRow::key));
        holding.forEach((key, holders) ->
                state.claims().currentModes(key).ifPresent(modes -> exclusion(modes.access(), holders)));
    }

    private static void exclusion(AccessMode access, List<ClaimRow> holders) {
        if (access.isSingleWriter()) {
            require(holders.stream().filter(each -> !each.readOnly()).count() <= 1, "two writers", holders);
        }
        if (access.isSingleNode()) {
            require(holders.stream().map(ClaimRow::nodeId).distinct().count() <= 1, "two nodes", holders);
        }
    }

    private void oneChildAtATime() {
        List<JobRow> alive = state.childrenOf(Jobs.PERIODIC).stream()
                .filter(child -> state.jobStatus(child) != JobStatus.DEAD)
                .toList();
        require(alive.size() <= 1, "two children that may not overlap", alive);
    }

    /** Every wait has a reason, and says what comes next. */
    private static void requireReason(@Nullable BlockedBy why, Object row) {
        require(
                why != null
                        && !why.step().isEmpty()
                        && !why.holder().isEmpty()
                        && !why.hint().isEmpty(),
                "waits without a reason",
                row);
    }

    private static void require(boolean holds, String otherwise, Object what) {
        if (!holds) {
            throw new AssertionError(otherwise + ": " + what);
        }
    }
}
