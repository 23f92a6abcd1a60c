package io.cleat.sim;

import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeModes;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.TableName;
import io.cleat.state.VolumeKey;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What must be true of every image that is ever applied. */
final class ImageCheck {
    private static final List<TableName> LOOKED_AT =
            List.of(
                    TableName.CLAIMS,
                    TableName.ALLOCATIONS,
                    TableName.EVALUATIONS,
                    TableName.ATTACHMENTS,
                    TableName.OPERATIONS);

    private final ClusterState state;

    private ImageCheck(ClusterState state) {
        this.state = state;
    }

    /**
     * @param before the image that was checked last
     * @throws AssertionError naming what is not so
     */
    static void check(ClusterState before, ClusterState state) {
        if (LOOKED_AT.stream().allMatch(t -> before.version(t) == state.version(t))) {
            return;
        }
        ImageCheck check = new ImageCheck(state);
        check.recount();
        state.claims().forEach(check::claim);
        state.allocations().forEach(check::togetherOrNotAtAll);
        check.waits();
        check.exclusion();
    }

    /** Every index and count says what a walk through the rows says. */
    private void recount() {
        Collection<ClaimRow> claims = state.claims();
        same(claims.size(), state.count(TableName.CLAIMS), "claims");
        same(state.allocations().size(), state.count(TableName.ALLOCATIONS), "allocations");
        same(state.operations().size(), state.count(TableName.OPERATIONS), "operations");
        same(state.attachments().size(), state.count(TableName.ATTACHMENTS), "attachments");
        for (ClaimState each : ClaimState.values()) {
            rows(state.claims(each), claim -> claim.state() == each, "claims " + each);
        }
        for (ClaimRow claim : claims) {
            rows(
                    state.claimsOf(claim.key()),
                    other -> other.key().equals(claim.key()),
                    "claims of " + claim.key());
            rows(
                    state.claimsOnNode(claim.nodeId()),
                    other -> other.nodeId().equals(claim.nodeId()),
                    "claims on " + claim.nodeId());
            rows(
                    state.claimsOfAllocation(claim.allocId()),
                    other -> other.allocId().equals(claim.allocId()),
                    "claims of " + claim.allocId());
        }
    }

    private void rows(List<ClaimRow> indexed, Predicate<ClaimRow> belongs, String what) {
        List<ClaimRow> counted = state.claims().stream().filter(belongs).toList();
        if (indexed.size() != counted.size() || !indexed.containsAll(counted)) {
            throw new AssertionError(
                    what + ": the index has " + indexed + ", there are " + counted);
        }
    }

    private static void same(int rows, int count, String what) {
        if (rows != count) {
            throw new AssertionError(what + ": counted " + count + ", there are " + rows);
        }
    }

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
            story(claim.blockedBy(), claim);
        }
    }

    private void togetherOrNotAtAll(AllocationRow row) {
        List<ClaimRow> claims = state.claimsOfAllocation(row.id());
        long waiting = claims.stream().filter(c -> c.state() == ClaimState.WAITING).count();
        require(waiting == 0 || waiting == claims.size(), "granted in part", claims);
    }

    private void waits() {
        for (EvaluationRow row : state.evaluations(EvaluationStatus.BLOCKED)) {
            story(row.blockedBy(), row);
            require(row.blockedOnAny() || !row.blockedOn().isEmpty(), "nothing can wake it", row);
        }
        for (AttachmentRow row : state.attachments()) {
            if (row.state() != AttachmentState.ATTACHED) {
                story(row.blockedBy(), row);
            }
        }
        for (OperationRow row : state.operations()) {
            if (!row.isDone()) {
                story(row.blockedBy(), row);
            }
            require(
                    row.state() != OperationState.UNKNOWN || row.nextTry() != null,
                    "unknown, and not tried again",
                    row);
        }
    }

    private void exclusion() {
        TreeSet<String> seen = new TreeSet<>();
        for (ClaimRow claim : state.claims()) {
            VolumeKey key = claim.key();
            Optional<VolumeModes> modes = state.currentModes(key);
            if (!seen.add(key.toString()) || modes.isEmpty()) {
                continue;
            }
            List<ClaimRow> holders = state.claimsOf(key).stream().filter(ClaimRow::holds).toList();
            if (modes.get().access().isSingleWriter()) {
                require(
                        holders.stream().filter(each -> !each.readOnly()).count() <= 1,
                        "two writers",
                        holders);
            }
            if (modes.get().access().isSingleNode()) {
                require(
                        holders.stream().map(ClaimRow::nodeId).distinct().count() <= 1,
                        "two nodes",
                        holders);
            }
        }
    }

    /** Every wait has a reason, and says what comes next. */
    private static void story(@Nullable BlockedBy why, Object row) {
        require(
                why != null
                        && !why.step().isEmpty()
                        && !why.holder().isEmpty()
                        && !why.hint().isEmpty(),
                "waits without a story",
                row);
    }

    private static void require(boolean holds, String otherwise, Object what) {
        if (!holds) {
            throw new AssertionError(otherwise + ": " + what);
        }
    }
}
