package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.cleat.model.ClientStatus;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.PayloadRule;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.JobStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job that is run once on each node. Situation -> answer. */
final class SysbatchTest {
    private final Cluster cluster = new Cluster();

    @BeforeEach
    void nodes() {
        cluster.level = Change.SCALING_LEVEL;
        cluster.node("n1");
        cluster.node("n2");
    }

    private static JobSpec job(String command) {
        return Cluster.job("s", JobType.SYSBATCH, 1, null, command);
    }

    private List<AllocationRow> allocations() {
        return cluster.state().allocationsOfJob(Cluster.jobId("s"));
    }

    private void allEnd(ClientStatus how) {
        List.copyOf(allocations()).stream().filter(row -> !row.isTerminal()).forEach(row -> cluster.ends(row, how));
    }

    private JobStatus status() {
        return cluster.state().jobStatus(cluster.state().job(Cluster.jobId("s")).orElseThrow());
    }

    @Test
    void registered_oneIsOnEachNode() {
        cluster.run(job("/bin/one"));
        assertEquals(
                List.of("n1", "n2"),
                allocations().stream().map(AllocationRow::nodeId).sorted().toList());
        assertEquals(JobStatus.RUNNING, status());
    }

    @Test
    void allEndedWell_noEvaluationRunsThemAgain_andTheJobIsDead() {
        cluster.run(job("/bin/one"));
        allEnd(ClientStatus.COMPLETE);
        assertEquals(JobStatus.DEAD, status());
        cluster.accept(new EvaluateJob(Cluster.jobId("s"), false, cluster.id()));
        cluster.schedule();
        cluster.run(job("/bin/one"));
        assertEquals(2, allocations().size());
        assertEquals(JobStatus.DEAD, status());
    }

    @Test
    void aNodeJoinsLater_itAloneRunsTheJob() {
        cluster.run(job("/bin/one"));
        allEnd(ClientStatus.COMPLETE);
        cluster.node("n3");
        cluster.schedule();
        assertEquals(3, allocations().size());
        assertEquals("n3", cluster.allocation("s").nodeId());
    }

    @Test
    void anotherVersion_runsOnEachNodeAgain() {
        cluster.run(job("/bin/one"));
        allEnd(ClientStatus.COMPLETE);
        cluster.run(job("/bin/two"));
        assertEquals(4, allocations().size());
        assertEquals(JobStatus.RUNNING, status());
    }

    /** Its restart policy counts on the node; nothing takes its place by itself. */
    @Test
    void oneFailed_itStays_untilSomebodyRunsTheJobAgain() {
        cluster.run(job("/bin/one"));
        AllocationRow failed = cluster.allocation("s");
        cluster.ends(failed, ClientStatus.FAILED);
        cluster.pass(Duration.ofHours(1));
        cluster.schedule();
        assertEquals(2, allocations().size());
        cluster.run(job("/bin/one"));
        assertEquals(failed.id(), cluster.allocation("s").lineage().previous());
    }

    @Test
    void itsNodeIsLost_itRunsThereAgainOnceTheNodeIsBack() {
        cluster.run(job("/bin/one"));
        AllocationRow lost = cluster.allocation("s");
        cluster.down(lost.nodeId());
        assertEquals(2, allocations().size());
        cluster.node(lost.nodeId());
        cluster.schedule();
        AllocationRow next = cluster.allocation("s");
        assertNotEquals(lost.id(), next.id());
        assertEquals(lost.nodeId(), next.nodeId());
    }

    /** What was to run at its time is not run later, on a machine that was not there then. */
    @Test
    void aCopyThatHasEnded_isNotRunOnANodeThatJoins() {
        cluster.run(
                job("/bin/one").withLaunch(new JobLaunch.Parameterized(PayloadRule.OPTIONAL, List.of(), List.of())));
        DispatchJob.Reply reply = cluster.accept(new DispatchJob(Cluster.jobId("s"), "", Map.of(), 0, cluster.id()));
        cluster.schedule();
        List<AllocationRow> copies = cluster.state().allocationsOfJob(Cluster.jobId(reply.copyId()));
        assertEquals(2, copies.size());
        copies.forEach(row -> cluster.ends(row, ClientStatus.COMPLETE));
        cluster.node("n3");
        cluster.schedule();
        assertEquals(
                2,
                cluster.state().allocationsOfJob(Cluster.jobId(reply.copyId())).size());
    }
}
