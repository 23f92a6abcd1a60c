package io.cleat.server.decide;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.ClientStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.Resources;
import io.cleat.server.FactsDraft;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tasks that want cores for themselves. Situation -> answer. */
final class CoresTest {
    private final Cluster cluster = new Cluster();

    @BeforeEach
    void nodeOfFourCores() {
        cluster.level = Change.SCALING_LEVEL;
        cluster.register(FactsDraft.of(cluster.facts("n1", "boot-1"))
                .total(new Resources(0, 2000, 0).on(List.of(0, 1, 4, 5), 2000))
                .done());
    }

    private static JobSpec job(String id, int count, int cores) {
        return Cluster.sized(Cluster.job(id, JobType.SERVICE, count), new Resources(0, 100, 0, cores, List.of()));
    }

    private List<AllocationRow> running(String job) {
        return cluster.state().allocationsOfJob(Cluster.jobId(job)).stream()
                .filter(row -> !row.isTerminal())
                .toList();
    }

    private List<List<Integer>> cores(String job) {
        return running(job).stream()
                .map(row -> row.totalResources().coreIds())
                .sorted((a, b) -> a.toString().compareTo(b.toString()))
                .toList();
    }

    private Map<String, Integer> exhausted() {
        EvaluationRow blocked =
                cluster.state().evaluations().in(EvaluationStatus.BLOCKED).getFirst();
        return requireNonNull(blocked.outcome().failedGroups().get("g")).dimensionExhausted();
    }

    @Test
    void eachIsGivenItsOwn_andTheirShareOfTheProcessors() {
        cluster.run(job("a", 2, 2));
        assertEquals(List.of(List.of(0, 1), List.of(4, 5)), cores("a"));
        assertEquals(1000, running("a").getFirst().totalResources().cpuMhz());
    }

    @Test
    void moreThanAreFree_theDimensionIsNamed() {
        cluster.run(job("a", 1, 3));
        cluster.run(job("b", 1, 2));
        assertEquals(List.of(), cores("b"));
        assertEquals(Map.of("cores", 1), exhausted());
    }

    /** Cores count for the others' MHz too. */
    @Test
    void allCoresAreGiven_noShareIsLeftForOthers() {
        cluster.run(job("a", 2, 2));
        cluster.run(Cluster.job("b", JobType.SERVICE, 1));
        assertEquals(List.of(), running("b"));
        assertEquals(Map.of("cpu", 1), exhausted());
    }

    @Test
    void oneEnds_whatWaitedGetsItsCores() {
        cluster.run(job("a", 1, 3));
        AllocationRow first = cluster.allocation("a");
        cluster.run(job("b", 1, 2));
        cluster.stop("a");
        assertEquals(List.of(), cores("b"), "the task may still run");
        cluster.ends(first, ClientStatus.COMPLETE);
        assertEquals(List.of(List.of(0, 1)), cores("b"));
    }

    /** Two tasks of the same job would share them while the old one stops. */
    @Test
    void replaced_theNewOneWaitsForTheEndOfTheOld() {
        cluster.run(job("a", 1, 3));
        AllocationRow old = cluster.allocation("a");
        cluster.run(job("a", 1, 4));
        assertEquals(List.of(), cores("a"));
        cluster.ends(old, ClientStatus.COMPLETE);
        assertEquals(List.of(List.of(0, 1, 4, 5)), cores("a"));
    }

    /** Another plan has taken them meanwhile. */
    @Test
    void plannedTwice_theSecondPlanFitsNoMore() {
        cluster.accept(new RegisterJob(job("a", 1, 3), null, null, 0, cluster.id()));
        cluster.accept(new RegisterJob(job("b", 1, 3), null, null, 0, cluster.id()));
        cluster.schedule();
        List<List<Integer>> both = new ArrayList<>(cores("a"));
        both.addAll(cores("b"));
        assertEquals(List.of(List.of(0, 1, 4)), both);
    }

    @Test
    void aNodeThatHasNoneToGive_isLeftOut() {
        Cluster other = new Cluster();
        other.level = Change.SCALING_LEVEL;
        other.node("n1");
        other.run(job("a", 1, 1));
        assertTrue(other.state().allocationsOfJob(Cluster.jobId("a")).isEmpty());
    }
}
