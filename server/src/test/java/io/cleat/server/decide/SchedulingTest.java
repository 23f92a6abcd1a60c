package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.JobType;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.SchedulingRow;
import io.cleat.state.SchedulingRow.Algorithm;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How an operator has jobs placed. Situation -> answer. */
final class SchedulingTest {
    private static final SchedulingRow SPREAD = new SchedulingRow(Algorithm.SPREAD, false, false, 0, 0);
    private static final SchedulingRow CLOSED = new SchedulingRow(Algorithm.BINPACK, true, false, 0, 0);

    private final Cluster cluster = new Cluster();

    @BeforeEach
    void nodes() {
        cluster.level = Change.SCHEDULING_LEVEL;
        for (String node : List.of("n1", "n2", "n3")) {
            cluster.node(node);
        }
    }

    private boolean configure(SchedulingRow wanted, @Nullable Long ifModifyVersion) {
        return cluster.accept(new ConfigureScheduling(wanted, ifModifyVersion)).updated();
    }

    private RegisterJob register(String id) {
        return new RegisterJob(Cluster.job(id, JobType.SERVICE, 1), null, null, 0, cluster.id());
    }

    /** Where three jobs of one allocation each are put, one after the other. */
    private Set<String> nodesOfThree() {
        for (String id : List.of("a", "b", "c")) {
            cluster.accept(register(id));
            cluster.schedule();
        }
        return cluster.state().allocations().stream().map(AllocationRow::nodeId).collect(Collectors.toSet());
    }

    @Test
    void nothingIsSaid_nodesAreFilledOneAfterTheOther() {
        assertEquals(1, nodesOfThree().size());
    }

    @Test
    void spread_takesTheEmptiestNode() {
        configure(SPREAD, null);
        assertEquals(3, nodesOfThree().size());
    }

    @Test
    void whatIsPlaced_staysWhereItIs() {
        Set<String> before = nodesOfThree();
        configure(SPREAD, null);
        cluster.accept(new EvaluateJob(Cluster.jobId("a"), false, cluster.id()));
        cluster.schedule();
        assertEquals(
                before,
                cluster.state().allocations().stream()
                        .map(AllocationRow::nodeId)
                        .collect(Collectors.toSet()));
    }

    @Test
    void jobsAreRejected_newOnesAndNewVersions_andStoppingIsNot() {
        cluster.accept(register("a"));
        configure(CLOSED, null);
        String refused = cluster.refuse(register("b"));
        assertTrue(refused.contains("job registration is disabled"), refused);
        assertEquals(refused, cluster.refuse(register("a")));
        assertEquals(refused, cluster.refuse(new RevertJob(Cluster.jobId("a"), 0, null, cluster.id())));
        cluster.accept(new DeregisterJob(Cluster.jobId("a"), false, false, false, 0, cluster.id()));
    }

    @Test
    void changedMeanwhile_nothingChanges() {
        assertTrue(configure(SPREAD, 0L));
        long said = cluster.state().scheduling().modifyVersion();
        assertFalse(configure(CLOSED, 0L));
        assertEquals(Algorithm.SPREAD, cluster.state().scheduling().algorithm());
        assertTrue(configure(CLOSED, said));
        assertNotEquals(said, cluster.state().scheduling().modifyVersion());
    }

    @Test
    void theSameAgain_changesNothing() {
        configure(SPREAD, null);
        long version = cluster.state().version();
        assertTrue(configure(SPREAD, null));
        assertEquals(version, cluster.state().version());
    }
}
