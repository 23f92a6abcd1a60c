package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.state.Change;
import io.cleat.state.JobRow;
import io.cleat.state.ScaleEvent;
import io.cleat.state.ScaleEventsId;
import java.util.List;
import java.util.Map;
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
        return new ScaleJob(ID, "g", count, row().jobModifyVersion(), ScaleJob.Said.NOTHING, cluster.id());
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
        assertTrue(cluster.state().allocationsOfJob(ID).stream().allMatch(allocation -> allocation.isTerminal()));
    }

    @Test
    void asManyAsBefore_noNewVersion() {
        runs(WEB);
        cluster.accept(to(1));
        assertEquals(0, row().number());
    }

    @Test
    void unknown_isNotFound() {
        assertEquals("job not found", cluster.refuse(new ScaleJob(ID, "g", 1, 1, ScaleJob.Said.NOTHING, cluster.id())));
    }

    /** It would begin again what a person has ended. */
    @Test
    void stopped_staysSo() {
        runs(WEB);
        cluster.stop("web");
        assertTrue(cluster.refuse(to(2)).contains("is stopped"));
    }

    private List<ScaleEvent> events() {
        return cluster.state().scaling().events(new ScaleEventsId(ID, "g"));
    }

    @Test
    void scaled_anEventSaysFromWhatToWhat() {
        cluster.level = Change.SCALING_LEVEL;
        runs(WEB);
        RegisterJob.Reply reply = cluster.accept(to(3));
        ScaleEvent event = events().getFirst();
        assertEquals(3, event.count());
        assertEquals(1, event.previousCount());
        assertEquals(reply.evalId(), event.evalId());
        assertEquals(row().jobModifyVersion(), event.version());
    }

    @Test
    void saidOnly_anEventAndTheJobStaysAsItIs() {
        cluster.level = Change.SCALING_LEVEL;
        runs(WEB);
        ScaleJob.Said said = new ScaleJob.Said(true, "no metrics", Map.of("tries", 3L));
        RegisterJob.Reply reply = cluster.accept(new ScaleJob(ID, "g", null, 0, said, cluster.id()));
        assertEquals("", reply.evalId());
        assertEquals(0, row().number());
        ScaleEvent event = events().getFirst();
        assertNull(event.count());
        assertTrue(event.error());
        assertEquals("no metrics", event.message());
        assertEquals(Map.of("tries", 3L), event.meta());
    }

    @Test
    void saidOften_theLastTwentyStay_untilTheGroupGoes() {
        cluster.level = Change.SCALING_LEVEL;
        runs(WEB);
        for (int i = 0; i < 25; i++) {
            ScaleJob.Said said = new ScaleJob.Said(false, "number " + i, Map.of());
            cluster.accept(new ScaleJob(ID, "g", null, 0, said, cluster.id()));
        }
        assertEquals(20, events().size());
        assertEquals("number 5", events().getFirst().message());
        assertEquals("number 24", events().getLast().message());
        cluster.accept(new DeregisterJob(ID, true, false, false, 0, cluster.id()));
        assertEquals(List.of(), events());
    }

    /** A member that keeps no events is no reason not to scale. */
    @Test
    void scaledAtAnOlderLevel_noEventIsKept() {
        cluster.level = Change.SCALING_LEVEL - 1;
        runs(WEB);
        cluster.accept(to(3));
        assertEquals(1, row().number());
        assertEquals(List.of(), events());
    }

    @Test
    void changedMeanwhile_isNotScaledUnchecked() {
        runs(WEB);
        ScaleJob late = to(2);
        cluster.run(WEB.scaled("g", 4));
        assertTrue(cluster.refuse(late).contains("changed meanwhile"));
    }
}
