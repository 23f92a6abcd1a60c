package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.state.JobRow;
import org.junit.jupiter.api.Test;

/** Situation -> answer. */
final class ScaleJobTest {
    private static final JobSpec WEB = Cluster.job("web", JobType.SERVICE, 1);
    private static final JobId ID = WEB.id();

    private final Cluster cluster = new Cluster();

    private void runs(JobSpec job) {
        cluster.node("n1");
        cluster.run(job);
    }

    private JobRow row() {
        return cluster.state().job(ID).orElseThrow();
    }

    private ScaleJob to(int count) {
        return new ScaleJob(ID, "g", count, row().jobModifyVersion(), cluster.id());
    }

    @Test
    void more_aNewVersionAndItIsPlaced() {
        runs(WEB);
        RegisterJob.Reply reply = cluster.accept(to(3));
        assertEquals(row().jobModifyVersion(), reply.jobModifyVersion());
        assertEquals(WEB.scaled("g", 3), row().spec());
        assertEquals(1, row().number());
        cluster.schedule();
        assertEquals(3, cluster.state().allocationsOfJob(ID).size());
    }

    @Test
    void none_itsAllocationsStop() {
        runs(WEB);
        cluster.accept(to(0));
        cluster.schedule();
        assertTrue(
                cluster.state().allocationsOfJob(ID).stream()
                        .allMatch(allocation -> allocation.isTerminal()));
    }

    @Test
    void asManyAsBefore_noNewVersion() {
        runs(WEB);
        cluster.accept(to(1));
        assertEquals(0, row().number());
    }

    @Test
    void unknown_isNotFound() {
        assertEquals("job not found", cluster.refuse(new ScaleJob(ID, "g", 1, 1, cluster.id())));
    }

    /** It would begin again what a person has ended. */
    @Test
    void stopped_staysSo() {
        runs(WEB);
        cluster.stop("web");
        assertTrue(cluster.refuse(to(2)).contains("is stopped"));
    }

    @Test
    void changedMeanwhile_isNotScaledUnchecked() {
        runs(WEB);
        ScaleJob late = to(2);
        cluster.run(WEB.scaled("g", 4));
        assertTrue(cluster.refuse(late).contains("changed meanwhile"));
    }
}
