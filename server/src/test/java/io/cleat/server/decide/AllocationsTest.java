package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobType;
import io.cleat.model.VolumeId;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.VolumeProgress;
import io.cleat.state.VolumeProgress.Phase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node's last word proves of a claim, and ends of many allocations at once. */
final class AllocationsTest {
    private final Cluster cluster = new Cluster();

    @BeforeEach
    void node() {
        cluster.node("n1");
    }

    /** The epoch is that of the claim and what is added; 0 is none: the agent began nothing that it remembers. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UNPUBLISHED | same    | v | false | true",
                "UNPUBLISHED | none    | v | false | true",
                "UNPUBLISHED | earlier | v | true  | false",
                "UNPUBLISHED | same    | w | true  | false",
                "NONE        | none    | v | true  | true",
                "NONE        | none    | v | false | false",
                "MOUNTING    | same    | v | true  | false",
                "PUBLISHED   | same    | v | true  | false",
                "UNMOUNTING  | same    | v | true  | false",
            })
    void wordOfANode_toWhetherNothingIsLeftThere(
            Phase phase, String epoch, String volume, boolean endedByNode, boolean isLetGo) {
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("job", "v");
        ClaimRow claim = cluster.claim("v", "job");
        assertTrue(claim.epoch() > 1);
        long said = epoch.equals("none") ? 0 : epoch.equals("same") ? claim.epoch() : claim.epoch() - 1;
        VolumeId id = Cluster.volumeId(volume);
        AllocationRow row = said(Map.of(claim.alias(), new VolumeProgress(id, said, phase, 0, null)));
        assertEquals(isLetGo, Allocations.isLetGo(row, claim, endedByNode));
        assertFalse(Allocations.isLetGo(said(Map.of()), claim, endedByNode), "nothing was said of it");
    }

    private AllocationRow said(Map<String, VolumeProgress> volumes) {
        String id = cluster.allocation("job").id();
        Change report = new Change.AllocationReported(id, ClientStatus.RUNNING, "", Map.of(), volumes, null, null);
        return cluster.state()
                .apply(List.of(report), cluster.state().version() + 1, cluster.now())
                .allocation(id)
                .orElseThrow();
    }

    /** Else those for which one decision has no room wait out their delay. */
    @Test
    void aJobThatStopsWithoutItsDelay_isHurriedInManyParts() {
        cluster.run(Cluster.job("job", JobType.SERVICE, 4));
        cluster.inSmallParts();
        cluster.accept(new DeregisterJob(Cluster.jobId("job"), false, false, true, 0, cluster.id()));
        assertTrue(rows().stream().anyMatch(row -> !row.wanted().noShutdownDelay()), "not all in one decision");
        cluster.workOff();
        assertEquals(
                4, rows().stream().filter(row -> row.wanted().noShutdownDelay()).count());
        assertEquals(List.of(), List.copyOf(cluster.state().remainders()));
    }

    @Test
    void whatFitsInOneDecision_leavesNothingToBeContinued() {
        cluster.run(Cluster.job("job", JobType.SERVICE, 2));
        cluster.accept(new EvaluateJob(Cluster.jobId("job"), true, cluster.id()));
        cluster.accept(new DeregisterJob(Cluster.jobId("job"), false, false, true, 0, cluster.id()));
        assertTrue(rows().stream().allMatch(row -> row.wanted().noShutdownDelay()));
        assertEquals(List.of(), List.copyOf(cluster.state().remainders()));
    }

    /** Else those for which one decision has no room wait for their turn, or for ever. */
    @Test
    void failedAllocationsThatArePlacedAnewOnRequest_areStoppedInManyPartsAndAllPlaced() {
        cluster.run(Cluster.job("job", JobType.BATCH, 4));
        rows().forEach(row -> cluster.report(row, ClientStatus.FAILED, Phase.NONE));
        cluster.inSmallParts();
        cluster.accept(new EvaluateJob(Cluster.jobId("job"), true, cluster.id()));
        assertTrue(rows().stream().anyMatch(row -> row.desired() != DesiredStatus.STOP), "not all in one decision");
        while (!cluster.due().isEmpty()) {
            cluster.accept(new CommitPlan(cluster.plan(cluster.due().getFirst()), cluster.id()));
        }
        cluster.schedule();
        assertEquals(
                4,
                rows().stream()
                        .filter(row -> row.desired() == DesiredStatus.STOP)
                        .count());
        assertEquals(
                4,
                rows().stream()
                        .filter(row -> row.desired() == DesiredStatus.RUN)
                        .count(),
                "placed anew");
        assertEquals(List.of(), List.copyOf(cluster.state().remainders()));
    }

    private List<AllocationRow> rows() {
        return List.copyOf(cluster.state().allocationsOfJob(Cluster.jobId("job")));
    }
}
