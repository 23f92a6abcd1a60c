package io.cleat.server.duty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.FaultHandler;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobType;
import io.cleat.server.decide.Cluster;
import io.cleat.server.decide.RegisterJob;
import io.cleat.state.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The times of jobs. The cluster's clock begins at midnight of 2026-03-01. */
final class PeriodicDutyTest {
    private final Cluster cluster = new Cluster();
    private final List<String> contained = new ArrayList<>();
    private final ScriptedDeciding deciding = ScriptedDeciding.of(cluster);
    private final PeriodicDuty duty = new PeriodicDuty(deciding, new FaultHandler() {
        @Override
        public void contained(String where, Throwable fault) {
            contained.add(where);
        }

        @Override
        public void fault(String where, Throwable fault) {
            throw new AssertionError(where, fault);
        }
    });

    @BeforeEach
    void level() {
        cluster.level = Change.LAUNCH_LEVEL;
    }

    private void register(String id, String cron) {
        cluster.accept(new RegisterJob(
                Cluster.job(id, JobType.BATCH, 1)
                        .withLaunch(new JobLaunch.Periodic(true, cron, List.of(), false, "UTC")),
                null,
                null,
                0,
                cluster.id()));
    }

    private Duration turnAt(String time) throws Exception {
        deciding.at(Instant.parse(time));
        return duty.turn();
    }

    private int copies(String job) {
        return cluster.state().childrenOf(Cluster.jobId(job)).size();
    }

    @Test
    void noJobHasTimes_itLooksAgainWhenJobsChange() throws Exception {
        assertEquals(Duration.ofHours(1), turnAt("2026-03-01T00:00:01Z"));
    }

    @Test
    void beforeItsTime_nothingRuns_andItLooksAgainSoonThoughAClockIsSetForward() throws Exception {
        register("backup", "0 3 * * *");
        assertEquals(Duration.ofSeconds(30), turnAt("2026-03-01T01:00:00Z"));
        assertEquals(Duration.ofSeconds(5), turnAt("2026-03-01T02:59:55Z"));
        assertEquals(0, copies("backup"));
    }

    @Test
    void atItsTime_oneCopyRuns_andThenTheNextIsWaitedFor() throws Exception {
        register("backup", "0 3 * * *");
        turnAt("2026-03-01T03:00:00Z");
        assertEquals(1, copies("backup"));
        cluster.pass(Duration.ofHours(3));
        turnAt("2026-03-01T03:00:01Z");
        assertEquals(1, copies("backup"));
    }

    /** Nobody led for two days. */
    @Test
    void timesThatPassedUnseen_areMadeUpForOnce() throws Exception {
        register("backup", "0 3 * * *");
        cluster.pass(Duration.ofDays(2).plusHours(1));
        turnAt("2026-03-03T01:00:05Z");
        turnAt("2026-03-03T01:00:06Z");
        assertEquals(1, copies("backup"));
        turnAt("2026-03-03T03:00:00Z");
        assertEquals(2, copies("backup"));
    }

    @Test
    void whatIsRefused_isTriedAgainSoon() throws Exception {
        register("backup", "0 3 * * *");
        deciding.leadsElsewhere = true;
        assertEquals(Duration.ofSeconds(5), turnAt("2026-03-01T03:00:00Z"));
        deciding.leadsElsewhere = false;
        turnAt("2026-03-01T03:00:05Z");
        assertEquals(1, copies("backup"));
    }

    /** Stored by an older program, or by none. */
    @Test
    void aJobWhoseTimesCannotBeRead_isTold_andTheOthersRun() throws Exception {
        register("bad", "no times");
        register("good", "0 3 * * *");
        turnAt("2026-03-01T03:00:00Z");
        assertEquals(1, copies("good"));
        assertTrue(contained.getFirst().contains("bad"), contained::toString);
    }
}
