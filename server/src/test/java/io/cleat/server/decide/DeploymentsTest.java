package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.AllocHealth;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSource;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.UpdatePolicy;
import io.cleat.model.VolumeRequest;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.DeploymentStatus;
import io.cleat.state.JobRow;
import io.cleat.state.JobVersionRow;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rolling updates. Situation -> what is replaced, and what becomes of the deployment. */
final class DeploymentsTest {
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private final Cluster cluster = new Cluster();

    @BeforeEach
    void nodes() {
        cluster.node("n1");
        cluster.node("n2");
    }

    /** A policy of so many at once and so many canaries. */
    private static UpdatePolicy update(int atOnce, int canaries, boolean autos) {
        return new UpdatePolicy(
                atOnce,
                canaries,
                "task_states",
                Duration.ofSeconds(10),
                Duration.ofMinutes(5),
                DEADLINE,
                Duration.ofSeconds(30),
                autos,
                autos);
    }

    private static JobSpec job(JobType type, int count, UpdatePolicy update, String command, VolumeRequest... volumes) {
        return Cluster.with(Cluster.job("a", type, count, null, command, volumes), null, update);
    }

    private void run(int count, UpdatePolicy update, String command) {
        cluster.run(job(JobType.SERVICE, count, update, command));
    }

    private JobRow stored() {
        return cluster.state().job(Cluster.jobId("a")).orElseThrow();
    }

    /** The newest deployment. */
    private DeploymentRow deployment() {
        return cluster.state().deployments().ofJob(Cluster.jobId("a")).getLast();
    }

    private DeploymentStatus status() {
        return deployment().status();
    }

    /** What is wanted and has not ended. */
    private List<AllocationRow> live() {
        return cluster.state().allocationsOfJob(Cluster.jobId("a")).stream()
                .filter(row -> !row.isTerminal())
                .sorted(Comparator.comparingInt(
                                (AllocationRow row) -> row.identity().index())
                        .thenComparingLong(AllocationRow::createVersion))
                .toList();
    }

    /** Which text each live allocation runs by, with a mark for canaries: {@code 0 0 1c}. */
    private String texts() {
        return String.join(
                " ",
                live().stream()
                        .map(row -> row.byVersion().jobNumber() + (row.isCanary() ? "c" : ""))
                        .toList());
    }

    /** All that run now are found healthy, and what follows from that is done. */
    private void allHealthy() {
        live().stream().filter(row -> row.seen().health() == null).forEach(row -> cluster.says(row, true));
        advance();
    }

    private void advance() {
        cluster.accept(new AdvanceDeployment(deployment().id(), cluster.id()));
        cluster.schedule();
    }

    /** The first text runs, and its deployment succeeded. */
    private void stable(int count, UpdatePolicy update) {
        run(count, update, "/one");
        assertEquals(DeploymentStatus.RUNNING, status());
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
        assertTrue(
                cluster.state().jobVersion(stored().current()).orElseThrow().stable(),
                "what succeeded is one to go back to");
    }

    @Test
    void aJobThatIsBeingDeployed_isNotScaled_andOnceItIsDoneItIs() {
        run(2, update(1, 0, false), "/one");
        long version = stored().jobModifyVersion();
        ScaleJob scale = new ScaleJob(Cluster.jobId("a"), "g", 3, version, ScaleJob.Said.NOTHING, cluster.id());
        String refused = cluster.refuse(scale);
        assertTrue(refused.startsWith("job scaling blocked due to active deployment"), refused);
        assertTrue(refused.contains(deployment().id()), refused);
        allHealthy();
        cluster.accept(scale);
        assertEquals(3, stored().spec().groups().getFirst().count());
    }

    @Test
    void aNewText_isSpreadAsManyAtOnceAsThePolicySays_eachStepAfterTheHealthOfTheLast() {
        stable(3, update(1, 0, false));
        run(3, update(1, 0, false), "/two");
        assertEquals("1 0 0", texts());
        cluster.schedule();
        assertEquals("1 0 0", texts(), "nobody said that it is healthy");
        allHealthy();
        assertEquals("1 1 0", texts());
        allHealthy();
        assertEquals("1 1 1", texts());
        assertEquals(DeploymentStatus.RUNNING, status());
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
        assertEquals(2, cluster.state().deployments().ofJob(Cluster.jobId("a")).size());
    }

    @Test
    void maxParallelZero_allAtOnceAndNoDeployment() {
        run(3, update(0, 0, false), "/one");
        run(3, update(0, 0, false), "/two");
        assertEquals("1 1 1", texts());
        assertEquals(List.of(), List.copyOf(cluster.state().deployments().all()));
    }

    @Test
    void anUnhealthyOne_stopsTheSpreading_andTheDeadlineFailsIt() {
        stable(2, update(1, 0, false));
        run(2, update(1, 0, false), "/two");
        cluster.says(live().getFirst(), false);
        advance();
        assertEquals("1 0", texts());
        assertEquals(DeploymentStatus.RUNNING, status());
        cluster.pass(DEADLINE);
        advance();
        assertEquals(DeploymentStatus.FAILED, status());
        assertEquals("Failed due to progress deadline", deployment().statusDescription());
        assertEquals("1 0", texts(), "nothing more is spread, and nothing reverted");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatFailsOrIsLostOnceTheDeploymentFailedOrWaits_isReplacedByItsOldText(boolean paused) {
        stable(4, update(1, 0, false));
        run(4, update(1, 0, false), "/two");
        assertEquals("1 0 0 0", texts());
        cluster.accept(
                paused
                        ? new PauseDeployment(deployment().id(), true, cluster.id())
                        : new FailDeployment(deployment().id(), cluster.id()));
        List<AllocationRow> old =
                live().stream().filter(row -> row.byVersion().jobNumber() == 0).toList();
        cluster.ends(old.get(0), ClientStatus.FAILED);
        cluster.pass(Duration.ofSeconds(31));
        cluster.schedule();
        assertEquals("1 0 0 0", texts());
        cluster.accept(new StopAllocation(old.get(1).id(), false, cluster.id()));
        cluster.schedule();
        assertEquals("1 0 0 0", texts());
        cluster.down(old.get(2).nodeId());
        cluster.schedule();
        assertEquals(
                1,
                cluster.state().allocationsOfJob(Cluster.jobId("a")).stream()
                        .filter(row -> row.byVersion().jobNumber() == 1)
                        .map(row -> row.identity().index())
                        .distinct()
                        .count(),
                "the newest text is where it was, and nowhere else");
        run(4, update(4, 0, false), "/three");
        allHealthy();
        assertEquals("2 2 2 2", texts());
    }

    @Test
    void aFailedDeployment_withAutoRevert_bringsTheLastGoodTextBack() {
        stable(2, update(1, 0, true));
        run(2, update(1, 0, true), "/two");
        cluster.pass(DEADLINE);
        cluster.accept(new AdvanceDeployment(deployment().id(), cluster.id()));
        DeploymentRow failed = deployment();
        assertEquals("Failed due to progress deadline - rolling back to job version 0", failed.statusDescription());
        assertEquals(2, stored().number());
        assertEquals("/one", command());
        cluster.schedule();
        allHealthy();
        allHealthy();
        assertEquals("2 2", texts());
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void aTextWhoseTasksFailAtOnce_isNotSpread_untilTheFailedIsReplaced() {
        stable(2, update(1, 0, false));
        run(2, update(1, 0, false), "/two");
        AllocationRow failed = live().getFirst();
        cluster.says(failed, false);
        cluster.ends(failed, ClientStatus.FAILED);
        cluster.schedule();
        assertEquals("0", texts(), "its policy waits 30 s");
        cluster.pass(Duration.ofSeconds(31));
        cluster.schedule();
        assertEquals("1 0", texts());
        allHealthy();
        assertEquals("1 1", texts());
    }

    @Test
    void theTextThatComesBack_hasADeployment_thoughNothingRunsAnyMore() {
        stable(2, update(2, 0, true));
        run(2, update(2, 0, true), "/two");
        assertEquals("1 1", texts());
        for (AllocationRow each : live()) {
            cluster.says(each, false);
            cluster.ends(each, ClientStatus.FAILED);
        }
        cluster.pass(DEADLINE);
        advance();
        assertEquals("2 2", texts());
        assertEquals(2, deployment().jobNumber());
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    private Object command() {
        return Optional.ofNullable(stored().spec()
                        .groups()
                        .getFirst()
                        .tasks()
                        .getFirst()
                        .config()
                        .get("command"))
                .orElseThrow();
    }

    @Test
    void autoRevertWithoutAGoodText_saysSo() {
        run(1, update(1, 0, true), "/one");
        cluster.pass(DEADLINE);
        advance();
        assertEquals(
                "Failed due to progress deadline - no stable job version to auto revert to",
                deployment().statusDescription());
    }

    @Test
    void canaries_runBesideTheOld_andPromotionReplacesTheRest() {
        stable(2, update(1, 1, false));
        run(2, update(1, 1, false), "/two");
        assertEquals("0 1c 0", texts());
        assertEquals(
                "Deployment is running but requires manual promotion",
                deployment().statusDescription());
        assertEquals(
                "Task group \"g\" has 0/1 healthy allocations: it can be promoted once all its canaries are healthy",
                cluster.refuse(new PromoteDeployment(deployment().id(), List.of(), cluster.id())));
        allHealthy();
        assertEquals("0 1c 0", texts(), "nobody promoted it");
        cluster.pass(DEADLINE.plusMinutes(1));
        advance();
        assertEquals(DeploymentStatus.RUNNING, status(), "a person has all the time");
        cluster.accept(new PromoteDeployment(deployment().id(), List.of(), cluster.id()));
        cluster.schedule();
        assertEquals("1c 1", texts());
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
        assertEquals(
                "can't promote terminal deployment: "
                        + deployment().id()
                        + " is successful (Deployment completed successfully)",
                cluster.refuse(new PromoteDeployment(deployment().id(), List.of(), cluster.id())));
    }

    @Test
    void whatIsLostWhileCanariesAreTried_isReplacedByItsOldText() {
        stable(2, update(1, 1, false));
        run(2, update(1, 1, false), "/two");
        AllocationRow old = live().getLast();
        assertEquals(0, old.byVersion().jobNumber());
        cluster.ends(old, ClientStatus.FAILED);
        assertEquals("0 1c", texts(), "its policy waits 30 s");
        cluster.pass(Duration.ofSeconds(31));
        cluster.schedule();
        assertEquals("0 1c 0", texts());
        allHealthy();
        cluster.accept(new PromoteDeployment(deployment().id(), List.of(), cluster.id()));
        cluster.schedule();
        assertEquals("1c 1", texts());
    }

    @Test
    void healthyCanaries_withAutoPromote_arePromotedByThemselves() {
        stable(2, update(2, 2, true));
        run(2, update(2, 2, true), "/two");
        assertEquals("0 1c 0 1c", texts());
        allHealthy();
        assertEquals("1c 1c", texts());
        advance();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void aFailedDeployment_takesItsCanariesAway() {
        stable(2, update(1, 1, false));
        run(2, update(1, 1, false), "/two");
        cluster.accept(new FailDeployment(deployment().id(), cluster.id()));
        cluster.schedule();
        assertEquals("0 0", texts());
        assertEquals(DeploymentStatus.FAILED, status());
    }

    @Test
    void aNewerText_cancelsTheDeployment_andTakesItsCanariesAway() {
        stable(2, update(1, 1, false));
        run(2, update(1, 1, false), "/two");
        DeploymentRow older = deployment();
        run(2, update(1, 1, false), "/three");
        assertEquals(
                "Cancelled due to newer version of job",
                cluster.state().deployments().get(older.id()).orElseThrow().statusDescription());
        assertEquals("0 2c 0", texts());
    }

    @Test
    void aPausedDeployment_spreadsNothing_untilItIsResumed() {
        stable(2, update(1, 0, false));
        run(2, update(1, 0, false), "/two");
        cluster.accept(new PauseDeployment(deployment().id(), true, cluster.id()));
        allHealthy();
        cluster.pass(DEADLINE.plusMinutes(1));
        advance();
        assertEquals("1 0", texts());
        assertEquals(DeploymentStatus.PAUSED, status());
        cluster.accept(new PauseDeployment(deployment().id(), false, cluster.id()));
        cluster.schedule();
        assertEquals("1 1", texts());
        advance();
        assertEquals(DeploymentStatus.RUNNING, status(), "its deadline began anew");
    }

    @Test
    void withoutAProgressDeadline_theFirstUnhealthyOneFailsIt() {
        UpdatePolicy update = new UpdatePolicy(
                1,
                0,
                "task_states",
                Duration.ofSeconds(10),
                Duration.ofMinutes(5),
                Duration.ZERO,
                Duration.ofSeconds(30),
                false,
                false);
        run(1, update, "/one");
        cluster.says(live().getFirst(), false);
        advance();
        assertEquals("Failed due to unhealthy allocations", deployment().statusDescription());
    }

    @Test
    void aStoppedJob_cancelsItsDeployment() {
        run(1, update(1, 0, false), "/one");
        cluster.stop("a");
        assertEquals(
                "Cancelled because job is stopped",
                cluster.state().deployments().all().iterator().next().statusDescription());
    }

    @Test
    void aTextThatChangesNoTask_isTakenOverInPlace_andItsHealthIsAskedAnew() {
        stable(2, update(1, 0, false));
        run(2, update(2, 0, false), "/one");
        assertEquals("1 1", texts());
        assertTrue(live().stream().allMatch(row -> row.seen().health() == null));
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void aSingleWriter_isHandedOver_andNeverHeldTwice() {
        cluster.volume("v", Cluster.WRITER);
        VolumeRequest writer = Cluster.request("v", Cluster.WRITER, false);
        cluster.run(job(JobType.SERVICE, 1, update(1, 0, false), "/one", writer));
        AllocationRow old = live().getFirst();
        cluster.runs("a");
        allHealthy();
        cluster.run(job(JobType.SERVICE, 1, update(1, 0, false), "/two", writer));
        assertEquals(DesiredStatus.STOP, row(old).desired());
        AllocationRow next = live().getFirst();
        assertEquals(ClaimState.WAITING, claimOf(next).state());
        cluster.ends(row(old), ClientStatus.COMPLETE);
        assertEquals(ClaimState.GRANTED, claimOf(next).state());
        assertEquals(
                1,
                cluster.claims("v").stream()
                        .filter(c -> c.state().equals(ClaimState.GRANTED))
                        .count());
    }

    private AllocationRow row(AllocationRow row) {
        return cluster.state().allocation(row.id()).orElseThrow();
    }

    private ClaimRow claimOf(AllocationRow row) {
        return cluster.state().claims().ofAllocation(row.id()).getFirst();
    }

    @Test
    void aPersonSaysWhatIsHealthy() {
        run(1, update(1, 0, false), "/one");
        AllocationRow only = live().getFirst();
        assertEquals(
                "allocation x is not part of deployment " + deployment().id(),
                cluster.refuse(new SetAllocationHealth(deployment().id(), List.of("x"), List.of(), cluster.id())));
        cluster.accept(new SetAllocationHealth(deployment().id(), List.of(only.id()), List.of(), cluster.id()));
        advance();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void healthForAnotherDeployment_isPassedOver() {
        run(1, update(1, 0, false), "/one");
        AllocationRow only = live().getFirst();
        cluster.accept(new ReportAllocations(
                only.nodeId(),
                List.of(new ReportAllocations.Report(
                        only.id(),
                        ClientStatus.RUNNING,
                        "",
                        Map.of(),
                        Map.of(),
                        new AllocHealth("another", true, cluster.now()),
                        null)),
                cluster.id()));
        assertEquals(null, row(only).seen().health());
    }

    @Test
    void whatWasWrittenForAText_staysWithIt_andGoesWithTheJob() {
        JobSource source = new JobSource("job \"a\" {}", "hcl2", Map.of(), "");
        cluster.accept(
                new RegisterJob(job(JobType.SERVICE, 1, update(1, 0, false), "/one"), source, null, 0, cluster.id()));
        run(1, update(1, 0, false), "/two");
        cluster.accept(new RevertJob(Cluster.jobId("a"), 0, null, cluster.id()));
        assertEquals(
                Arrays.asList(source, null, source),
                cluster.state().jobVersions(Cluster.jobId("a")).stream()
                        .map(JobVersionRow::source)
                        .toList());
        cluster.schedule();
        cluster.accept(new DeregisterJob(Cluster.jobId("a"), true, false, false, 0, cluster.id()));
        List<JobVersionRow> run = cluster.state().jobVersions(Cluster.jobId("a"));
        assertFalse(run.isEmpty(), "its allocation is still to be stopped");
        assertTrue(run.stream().allMatch(text -> text.source() == null), run.toString());
    }

    /** A revert answered 200, and ran the job that had been purged. */
    @Test
    void aPurgedJobIsForgotten_ByTheNextOneOfItsId() {
        stable(1, update(1, 0, false));
        run(1, update(1, 0, false), "/two");
        cluster.accept(new DeregisterJob(Cluster.jobId("a"), true, false, false, 0, cluster.id()));
        run(1, update(1, 0, true), "/new");
        assertEquals(
                List.of(0L),
                cluster.state().versionsOf(stored()).stream()
                        .map(JobVersionRow::number)
                        .toList());
        assertEquals(1, cluster.state().deployments().of(stored()).size());
        assertEquals(3, cluster.state().deployments().ofJob(Cluster.jobId("a")).size());
        String refused = cluster.refuse(new RevertJob(Cluster.jobId("a"), 1, null, cluster.id()));
        assertTrue(refused.contains("it has [0]"), refused);
        assertEquals("job \"a\" at version 1 not found", cluster.refuse(new MarkStable(Cluster.jobId("a"), 1, true)));
        cluster.accept(new FailDeployment(deployment().id(), cluster.id()));
        assertEquals("/new", command());
    }

    @Test
    void revert_storesTheOlderTextAgain() {
        stable(1, update(1, 0, false));
        run(1, update(1, 0, false), "/two");
        assertEquals(
                "can't revert to current version",
                cluster.refuse(new RevertJob(Cluster.jobId("a"), 1, null, cluster.id())));
        assertEquals(
                "Current job has version 1; enforcing version 7",
                cluster.refuse(new RevertJob(Cluster.jobId("a"), 0, 7L, cluster.id())));
        assertTrue(cluster.refuse(new RevertJob(Cluster.jobId("a"), 9, null, cluster.id()))
                .contains("at version 9 not found"));
        cluster.accept(new RevertJob(Cluster.jobId("a"), 0, 1L, cluster.id()));
        assertEquals(2, stored().number());
        assertEquals("/one", command());
        cluster.schedule();
        assertEquals("2", texts());
    }
}
