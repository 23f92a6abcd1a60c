package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.cleat.model.ClientStatus;
import io.cleat.model.JobType;
import io.cleat.state.AllocationRow;
import org.junit.jupiter.api.Test;

/** Evaluating on request. Situation -> answer. */
final class EvaluateJobTest {
    private final Cluster cluster = new Cluster();

    private AllocationRow failed() {
        cluster.node("n1");
        cluster.run(Cluster.job("a", JobType.SERVICE, 1));
        AllocationRow row = cluster.allocation("a");
        cluster.ends(row, ClientStatus.FAILED);
        assertEquals(row.id(), cluster.allocation("a").id(), "its policy waits 30 s");
        return row;
    }

    private EvaluateJob.Reply evaluate(boolean force) {
        EvaluateJob.Reply reply = cluster.accept(new EvaluateJob(Cluster.jobId("a"), force, cluster.id()));
        cluster.schedule();
        return reply;
    }

    @Test
    void noSuchJob_refused() {
        assertEquals("job not found", cluster.refuse(new EvaluateJob(Cluster.jobId("none"), false, cluster.id())));
    }

    @Test
    void nothingToDo_anEvaluationOfItsOwnAllTheSame() {
        cluster.node("n1");
        cluster.run(Cluster.job("a", JobType.SERVICE, 1));
        String before = cluster.allocation("a").id();
        EvaluateJob.Reply reply = evaluate(false);
        assertEquals(
                "complete",
                cluster.state()
                        .evaluations()
                        .get(reply.evalId())
                        .orElseThrow()
                        .status()
                        .wire());
        assertEquals(before, cluster.allocation("a").id());
    }

    @Test
    void aFailedAllocation_waitsForItsTurn() {
        AllocationRow row = failed();
        evaluate(false);
        assertEquals(row.id(), cluster.allocation("a").id());
    }

    @Test
    void aFailedAllocation_forced_isPlacedAnewNow() {
        AllocationRow row = failed();
        evaluate(true);
        assertNotEquals(row.id(), cluster.allocation("a").id());
        assertEquals(row.id(), cluster.allocation("a").lineage().previous());
    }
}
