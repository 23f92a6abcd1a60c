package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.BlockedBy;
import io.cleat.model.JobType;
import io.cleat.model.VolumeModes;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.Fit;
import io.cleat.state.JobRow;
import io.cleat.state.Remainder;
import io.cleat.state.TableName;
import io.cleat.state.VolumeKey;
import io.cleat.state.VolumeRow;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** What must be true of every image. */
final class Invariants {
    private Invariants() {}

    static void check(Cluster cluster, String when) {
        ClusterState state = cluster.state();
        recount(state, when);
        for (ClaimRow claim : state.claims().all()) {
            claim(state, claim, when);
        }
        for (VolumeRow volume : state.volumes()) {
            exclusion(state, volume.key(), when);
        }
        for (AllocationRow row : state.allocations()) {
            togetherOrNotAtAll(state, row, when);
        }
        for (EvaluationRow row : state.evaluations().in(EvaluationStatus.BLOCKED)) {
            BlockedBy reason = row.waits().blockedBy();
            assertTrue(reason != null, when + ": blocked without a reason: " + row);
            assertTrue(
                    row.waits().blockedOnAny() || !row.waits().blockedOn().isEmpty(),
                    when + ": nothing can wake " + row);
            assertTrue(
                    isToBeWoken(state, row)
                            || isBeingDone(state, row)
                            || !cluster.plan(row).isComplete(),
                    when + ": a wake-up was lost: " + row.id() + " could be placed now");
        }
        for (JobRow job : state.jobs()) {
            if (!job.stop()) {
                isPursued(state, job, when);
            }
        }
        for (AttachmentRow row : state.attachments().all()) {
            assertTrue(
                    row.state() == AttachmentState.ATTACHED || row.blockedBy() != null,
                    when + ": waits without a reason: " + row);
        }
    }

    /** Whether something that is left to be done reaches it. */
    private static boolean isToBeWoken(ClusterState state, EvaluationRow row) {
        return state.remainders().stream()
                .filter(left -> left.since() > row.modifyVersion())
                .anyMatch(left -> switch (left.what()) {
                    case Remainder.WakeAll _ -> true;
                    case Remainder.WakeForRoom _ -> row.waits().blockedOnAny();
                    case Remainder.WakeForVolume(var key) -> waits(state, row, key);
                    case Remainder.HandOn(var key) -> waits(state, row, key);
                    case Remainder.CancelWaiting(var job, var _) -> row.job().equals(job);
                    default -> false;
                });
    }

    /** Whether another evaluation of its job is under way, which will settle it when it is done. */
    private static boolean isBeingDone(ClusterState state, EvaluationRow row) {
        return state.evaluations().ofJob(row.job()).stream()
                .anyMatch(other -> other.status() == EvaluationStatus.PENDING
                        && other.waitUntil() == null
                        && other.outcome().snapshotVersion() > 0);
    }

    private static boolean waits(ClusterState state, EvaluationRow row, VolumeKey key) {
        return state.volumesWithKey(key).stream()
                .anyMatch(volume -> row.waits().blockedOn().contains(volume.id()));
    }

    /** Every count and index says what a walk through the rows says. */
    private static void recount(ClusterState state, String when) {
        Collection<ClaimRow> claims = state.claims().all();
        assertEquals(claims.size(), state.count(TableName.CLAIMS), when);
        assertEquals(state.allocations().size(), state.count(TableName.ALLOCATIONS), when);
        for (ClaimState each : ClaimState.values()) {
            same(claims, claim -> claim.state() == each, state.claims().in(each), when);
        }
        for (ClaimRow one : claims) {
            same(claims, c -> c.key().equals(one.key()), state.claims().of(one.key()), when);
            same(claims, c -> c.nodeId().equals(one.nodeId()), state.claims().onNode(one.nodeId()), when);
            same(claims, c -> c.allocId().equals(one.allocId()), state.claims().ofAllocation(one.allocId()), when);
        }
    }

    private static void same(Collection<ClaimRow> all, Predicate<ClaimRow> which, List<ClaimRow> indexed, String when) {
        assertEquals(Set.copyOf(all.stream().filter(which).toList()), Set.copyOf(indexed), when);
    }

    private static void claim(ClusterState state, ClaimRow claim, String when) {
        AllocationRow row = state.allocation(claim.allocId())
                .orElseThrow(() -> new AssertionError(when + ": a claim without allocation: " + claim));
        assertEquals(row.nodeId(), claim.nodeId(), when);
        switch (claim.state()) {
            case WAITING -> {
                assertEquals(0, claim.epoch(), when);
                assertTrue(!row.isTerminal(), when + ": waits for nobody: " + claim);
                assertTrue(claim.blockedBy() != null, when + ": waits without a reason: " + claim);
            }
            case GRANTED -> {
                assertTrue(claim.epoch() > 0, when);
                assertTrue(!row.isTerminal(), when + ": granted to what is over: " + claim);
            }
            case RELEASING -> {
                assertTrue(row.isTerminal(), when + ": released while wanted: " + claim);
                assertTrue(claim.blockedBy() != null, when + ": waits without a reason: " + claim);
            }
        }
    }

    private static void exclusion(ClusterState state, VolumeKey key, String when) {
        Optional<VolumeModes> modes = state.claims().currentModes(key);
        List<ClaimRow> holders = Claims.holders(state, key);
        if (modes.isEmpty()) {
            assertEquals(List.of(), holders, when);
            return;
        }
        if (modes.get().access().isSingleWriter()) {
            long writers = holders.stream().filter(claim -> !claim.readOnly()).count();
            assertTrue(writers <= 1, when + ": two writers: " + holders);
        }
        if (modes.get().access().isSingleNode()) {
            long nodes = holders.stream().map(ClaimRow::nodeId).distinct().count();
            assertTrue(nodes <= 1, when + ": two nodes: " + holders);
        }
    }

    private static void togetherOrNotAtAll(ClusterState state, AllocationRow row, String when) {
        List<ClaimRow> claims = state.claims().ofAllocation(row.id());
        long waiting =
                claims.stream().filter(c -> c.state() == ClaimState.WAITING).count();
        assertTrue(waiting == 0 || waiting == claims.size(), when + ": granted in part: " + claims);
        if (waiting == 0) {
            return;
        }
        boolean couldBe = claims.stream()
                .allMatch(claim -> state.volume(claim.volume())
                        .map(volume -> Fit.of(
                                state, volume, claim.modes(), claim.readOnly(), claim.nodeId(), row.job(), row.id()))
                        .filter(Fit.Free.class::isInstance)
                        .isPresent());
        boolean isToBeGranted = claims.stream()
                .anyMatch(
                        c -> state.remainder(new Remainder.HandOn(c.key()).id()).isPresent());
        assertTrue(!couldBe || isToBeGranted, when + ": a grant was lost: " + claims);
    }

    /** A job that is wanted and not complete has an evaluation that will see to it. */
    private static void isPursued(ClusterState state, JobRow job, String when) {
        boolean isDue = state.evaluations().ofJob(job.id()).stream()
                .anyMatch(e -> !e.status().isTerminal());
        if (isDue || job.spec().type() != JobType.SERVICE) {
            return;
        }
        int wanted = job.spec().groups().getFirst().count();
        long live = state.allocationsOfJob(job.id()).stream()
                .filter(row -> !row.isTerminal())
                .count();
        assertTrue(live >= wanted, when + ": nobody sees to job " + job.id() + ", " + live);
    }
}
