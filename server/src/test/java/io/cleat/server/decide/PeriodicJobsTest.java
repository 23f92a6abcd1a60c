package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.ClientStatus;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.state.Change;
import io.cleat.state.EvaluationRow;
import io.cleat.state.JobRow;
import io.cleat.state.JobStatus;
import io.cleat.state.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that have copies of themselves run at times. Situation -> answer. */
final class PeriodicJobsTest {
    private static final JobLaunch.Periodic DAILY = new JobLaunch.Periodic(true, "0 3 * * *", List.of(), false, "UTC");
    private static final JobLaunch.Periodic ALONE = new JobLaunch.Periodic(true, "0 3 * * *", List.of(), true, "UTC");

    private final Cluster cluster = new Cluster();

    @BeforeEach
    void node() {
        cluster.level = Change.LAUNCH_LEVEL;
        cluster.node("n1");
    }

    private static JobSpec job(@Nullable JobLaunch launch) {
        return Cluster.job("backup", JobType.BATCH, 1).withLaunch(launch);
    }

    private RegisterJob.Reply register(JobSpec spec) {
        return cluster.accept(new RegisterJob(spec, null, null, 0, cluster.id()));
    }

    private JobRow row() {
        return cluster.state().job(Cluster.jobId("backup")).orElseThrow();
    }

    private LaunchJob.Reply launch(Instant due) {
        return cluster.accept(new LaunchJob(Cluster.jobId("backup"), due, row().timesCountFrom(), cluster.id()));
    }

    private List<String> copies() {
        return cluster.state().childrenOf(Cluster.jobId("backup")).stream()
                .map(row -> row.id().id())
                .toList();
    }

    @Test
    void registered_nothingIsEvaluatedOrPlaced_andItCountsAsRunning() {
        assertEquals("", register(job(DAILY)).evalId());
        cluster.schedule();
        assertEquals(List.of(), List.copyOf(cluster.state().allocations()));
        assertEquals(JobStatus.RUNNING, cluster.state().jobStatus(row()));
        String refused = cluster.refuse(new EvaluateJob(Cluster.jobId("backup"), false, cluster.id()));
        assertTrue(refused.contains("can't evaluate periodic job"), refused);
    }

    @Test
    void itsTimeComes_aCopyRuns_withItsOwnNameAndTheJobsRest() {
        register(job(DAILY));
        Instant due = Instant.parse("2026-03-01T03:00:00Z");
        LaunchJob.Reply reply = launch(due);
        assertEquals("backup/periodic-" + due.getEpochSecond(), reply.copyId());
        cluster.schedule();
        JobRow copy = cluster.state().job(Cluster.jobId(reply.copyId())).orElseThrow();
        assertEquals(row().spec().groups(), copy.spec().groups());
        assertEquals(Cluster.jobId("backup"), copy.spec().parent().orElseThrow());
        EvaluationRow evaluation =
                cluster.state().evaluations().ofJob(copy.id()).getFirst();
        assertEquals(Trigger.PERIODIC_JOB, evaluation.asked().triggeredBy());
        assertEquals(1, cluster.state().allocationsOfJob(copy.id()).size());
    }

    @Test
    void severalTimesHavePassed_oneCopyMakesUpForAll() {
        register(job(DAILY));
        cluster.pass(Duration.ofDays(3));
        launch(Instant.parse("2026-03-01T03:00:00Z"));
        assertTrue(row().timesCountFrom().isAfter(Instant.parse("2026-03-04T00:00:00Z")));
        assertEquals(1, copies().size());
    }

    /** Two leaders, or one that asks again, after its answer was lost. */
    @Test
    void theSameTimeAgain_runsNoSecondCopy() {
        register(job(DAILY));
        Instant since = row().timesCountFrom();
        LaunchJob again =
                new LaunchJob(Cluster.jobId("backup"), Instant.parse("2026-03-01T03:00:00Z"), since, cluster.id());
        assertFalse(cluster.accept(again).copyId().isEmpty());
        assertEquals(new LaunchJob.Reply("", ""), cluster.accept(again));
        assertEquals(1, copies().size());
    }

    @Test
    void changedMeanwhile_itsOldTimeRunsNothing() {
        register(job(DAILY));
        Instant since = row().timesCountFrom();
        register(job(new JobLaunch.Periodic(true, "0 4 * * *", List.of(), false, "UTC")));
        assertEquals(
                new LaunchJob.Reply("", ""),
                cluster.accept(new LaunchJob(
                        Cluster.jobId("backup"), Instant.parse("2026-03-01T03:00:00Z"), since, cluster.id())));
        assertEquals(List.of(), copies());
    }

    @Test
    void overlapIsProhibited_aTimePassesWhileAnEarlierCopyRuns_andNotAfterItsEnd() {
        register(job(ALONE));
        LaunchJob.Reply first = launch(Instant.parse("2026-03-01T03:00:00Z"));
        cluster.schedule();
        cluster.runs(first.copyId());
        LaunchJob.Reply second = launch(Instant.parse("2026-03-02T03:00:00Z"));
        assertEquals("", second.copyId());
        assertTrue(second.why().contains("an earlier one still runs"), second.why());
        cluster.ends(cluster.allocation(first.copyId()), ClientStatus.COMPLETE);
        assertFalse(launch(Instant.parse("2026-03-03T03:00:00Z")).copyId().isEmpty());
        assertEquals(2, copies().size());
    }

    @Test
    void forced_aCopyRunsNow_thoughAnotherDoes_andItsTimesStay() {
        register(job(ALONE));
        launch(Instant.parse("2026-03-01T03:00:00Z"));
        Instant since = row().timesCountFrom();
        RegisterJob.Reply forced = cluster.accept(new ForceLaunch(Cluster.jobId("backup"), cluster.id()));
        assertFalse(forced.evalId().isEmpty());
        assertEquals(2, copies().size());
        assertEquals(since, row().timesCountFrom());
    }

    @Test
    void whatIsNotPeriodic_cannotBeForced() {
        cluster.run(Cluster.job("web", JobType.SERVICE, 1));
        assertEquals(
                "can't force launch non-periodic job",
                cluster.refuse(new ForceLaunch(Cluster.jobId("web"), cluster.id())));
        assertEquals("job not found", cluster.refuse(new ForceLaunch(Cluster.jobId("nothing"), cluster.id())));
    }

    @Test
    void stoppedOrDisabled_itHasNoTimes_andItsCopiesGoOn() {
        register(job(DAILY));
        LaunchJob.Reply copy = launch(Instant.parse("2026-03-01T03:00:00Z"));
        cluster.schedule();
        cluster.runs(copy.copyId());
        cluster.stop("backup");
        assertEquals(List.of(), List.copyOf(cluster.state().jobsWithTimes()));
        assertEquals(JobStatus.DEAD, cluster.state().jobStatus(row()));
        assertEquals(
                JobStatus.RUNNING,
                cluster.state()
                        .jobStatus(cluster.state()
                                .job(Cluster.jobId(copy.copyId()))
                                .orElseThrow()));
        register(job(new JobLaunch.Periodic(false, "0 3 * * *", List.of(), false, "UTC")));
        assertEquals(List.of(), List.copyOf(cluster.state().jobsWithTimes()));
    }

    /** What runs of it would be of no job's, or what has times would have allocations. */
    @Test
    void aJobStaysWhatItIs() {
        register(job(DAILY));
        assertTrue(cluster.refuse(new RegisterJob(job(null), null, null, 0, cluster.id()))
                .startsWith("cannot update periodic job to being non-periodic"));
        cluster.run(Cluster.job("web", JobType.BATCH, 1));
        JobSpec web = Cluster.job("web", JobType.BATCH, 1).withLaunch(DAILY);
        assertTrue(cluster.refuse(new RegisterJob(web, null, null, 0, cluster.id()))
                .startsWith("cannot update non-periodic job to being periodic"));
    }

    @Test
    void overTime_copiesThatAreDone_areForgotten() {
        register(job(DAILY));
        LaunchJob.Reply copy = launch(Instant.parse("2026-03-01T03:00:00Z"));
        cluster.schedule();
        cluster.ends(cluster.allocation(copy.copyId()), ClientStatus.COMPLETE);
        cluster.pass(Duration.ofHours(5));
        cluster.accept(CollectGarbage.REGULARLY);
        assertEquals(List.of(), copies());
        assertEquals(JobStatus.RUNNING, cluster.state().jobStatus(row()));
    }

    @Test
    void theServersBeginAgain_theyKnowItsCopiesAndItsTimes() {
        register(job(DAILY));
        launch(Instant.parse("2026-03-01T03:00:00Z"));
        List<String> before = copies();
        Instant since = row().timesCountFrom();
        cluster.restart();
        assertEquals(before, copies());
        assertEquals(since, row().timesCountFrom());
        assertEquals(1, cluster.state().jobsWithTimes().size());
    }
}
