package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.Affinity;
import io.cleat.model.Constraint;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.Spread;
import io.cleat.server.FactsDraft;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.PlacementMetric;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a job says that nodes should be. Two data centres of two nodes; situation -> places. */
final class PreferencesTest {
    private static final String DATACENTER = "${node.datacenter}";

    private final Cluster cluster = new Cluster();

    @BeforeEach
    void nodes() {
        cluster.level = Change.LAUNCH_LEVEL;
        node("n1", "east", "small");
        node("n2", "east", "big");
        node("n3", "west", "small");
        node("n4", "west", "big");
    }

    private void node(String id, String datacenter, String nodeClass) {
        cluster.register(FactsDraft.of(cluster.facts(id, "boot-1"))
                .datacenter(datacenter)
                .nodeClass(nodeClass)
                .done());
    }

    private static JobSpec job(
            int count, List<Constraint> constraints, List<Affinity> affinities, List<Spread> spreads) {
        JobSpec plain = Cluster.job("web", JobType.SERVICE, count);
        return plain.withGroups(
                List.of(plain.groups().getFirst().constrained(constraints).preferring(affinities, spreads)));
    }

    private static Affinity classes(String wanted, int weight) {
        return new Affinity(new Constraint("${node.class}", "=", wanted), weight);
    }

    /** How many allocations are where, by a property of their nodes. */
    private Map<String, Long> places(Function<AllocationRow, String> property) {
        return cluster.state().allocations().stream()
                .filter(row -> !row.isTerminal())
                .collect(Collectors.groupingBy(property, TreeMap::new, Collectors.counting()));
    }

    private String datacenter(AllocationRow row) {
        return cluster.state().node(row.nodeId()).orElseThrow().facts().datacenter();
    }

    private Map<String, Long> inDatacenters(JobSpec job) {
        cluster.run(job);
        return places(this::datacenter);
    }

    @Test
    void nothingIsPreferred_theyKeepApart() {
        assertEquals(Map.of("n1", 1L, "n2", 1L), run(job(2, List.of(), List.of(), List.of())));
    }

    private Map<String, Long> run(JobSpec job) {
        cluster.run(job);
        return places(AllocationRow::nodeId);
    }

    @Test
    void nodesThatItShouldHave_areTakenFirst() {
        assertEquals(Map.of("n2", 1L, "n4", 1L), run(job(2, List.of(), List.of(classes("big", 100)), List.of())));
    }

    @Test
    void nodesThatItShouldKeepAwayFrom_areTakenLast() {
        assertEquals(Map.of("n1", 1L, "n3", 1L), run(job(2, List.of(), List.of(classes("big", -100)), List.of())));
    }

    @Test
    void itIsAWishAndNoDemand() {
        assertEquals(
                4,
                run(job(4, List.of(), List.of(classes("none", 100)), List.of())).values().stream()
                        .mapToLong(Long::longValue)
                        .sum());
    }

    @Test
    void theScore_isShown() {
        cluster.run(job(1, List.of(), List.of(classes("big", 75), classes("none", 25)), List.of()));
        PlacementMetric.Score best =
                cluster.allocation("web").placed().metric().scores().getFirst();
        assertEquals("n2", best.nodeId());
        assertEquals(0.75, best.parts().get("node-affinity"));
    }

    @Test
    void spreadEvenly_eachValueHasAsMany() {
        assertEquals(
                Map.of("east", 4L, "west", 4L),
                inDatacenters(job(
                        8, List.of(), List.of(classes("big", 1)), List.of(new Spread(DATACENTER, 100, List.of())))));
    }

    @Test
    void spreadByTargets_eachValueHasItsShare() {
        assertEquals(
                Map.of("east", 2L, "west", 8L),
                inDatacenters(job(
                        10,
                        List.of(),
                        List.of(),
                        List.of(new Spread(
                                DATACENTER,
                                100,
                                List.of(new Spread.Target("east", 20), new Spread.Target("west", 80)))))));
    }

    @Test
    void whatNoTargetNames_hasTheRest() {
        assertEquals(
                Map.of("east", 3L, "west", 7L),
                inDatacenters(job(
                        10,
                        List.of(),
                        List.of(),
                        List.of(new Spread(DATACENTER, 100, List.of(new Spread.Target("east", 30)))))));
    }

    @Test
    void aPropertyThatIsToBeDistinct_isThatOfOneAllocation_andTheOthersWait() {
        Constraint distinct = new Constraint(DATACENTER, "distinct_property", "");
        assertEquals(Map.of("east", 1L, "west", 1L), inDatacenters(job(3, List.of(distinct), List.of(), List.of())));
        assertTrue(
                cluster.state().evaluations().all().stream()
                        .flatMap(row -> row.outcome().failedGroups().values().stream())
                        .flatMap(metric -> metric.constraintFiltered().keySet().stream())
                        .anyMatch(
                                reason -> reason.equals("distinct_property: ${node.datacenter}=east used by 1 allocs")),
                () -> cluster.state().evaluations().all().toString());
    }

    @Test
    void aPropertyMayBeThatOfSoMany() {
        Constraint two = new Constraint(DATACENTER, "distinct_property", "2");
        assertEquals(Map.of("east", 2L, "west", 2L), inDatacenters(job(5, List.of(two), List.of(), List.of())));
    }

    /** CVE-2022-24684: such a block ended the servers of another program. */
    @Test
    void aSpreadThatCannotBeComputed_placesNevertheless() {
        List<Spread> spreads = List.of(
                new Spread(DATACENTER, 100, List.of(new Spread.Target("east", 0), new Spread.Target("west", 100))),
                new Spread(DATACENTER, 1, List.of(new Spread.Target("east", 0), new Spread.Target("west", 0))),
                new Spread("${meta.none}", 1, List.of()));
        assertEquals(Map.of("west", 3L), inDatacenters(job(3, List.of(), List.of(), spreads)));
        cluster.stop("web");
        assertEquals(Map.of(), inDatacenters(job(0, List.of(), List.of(), spreads)));
    }

    /** Nodes were in pools, and no job could name one. */
    @Test
    void aJobOfAPool_runsOnItsNodesAlone_andWaitsForOne() {
        JobSpec plain = job(1, List.of(), List.of(), List.of());
        JobSpec inPool = new JobSpec(
                plain.id(),
                plain.name(),
                plain.type(),
                plain.region(),
                "gpu",
                plain.priority(),
                plain.allAtOnce(),
                plain.datacenters(),
                plain.meta(),
                plain.constraints(),
                plain.groups());
        cluster.run(inPool);
        assertEquals(1, cluster.onlyBlocked().outcome().failedGroups().size());
        cluster.register(
                FactsDraft.of(cluster.facts("n5", "boot-1")).nodePool("gpu").done());
        cluster.schedule();
        assertEquals(Map.of("n5", 1L), places(AllocationRow::nodeId));
    }

    /** What changes nothing of a task leaves it alone. */
    @Test
    void whatIsPreferredLater_movesNothing() {
        Map<String, Long> before = run(job(2, List.of(), List.of(), List.of()));
        assertEquals(before, run(job(2, List.of(), List.of(classes("small", 100)), List.of())));
    }
}
