package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.ClientStatus;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.PluginType;
import io.cleat.model.VolumeRequest;
import io.cleat.schedule.Plan;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.JobRow;
import io.cleat.state.JobStatus;
import io.cleat.state.Trigger;
import io.cleat.state.VolumeProgress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Jobs and allocations: registered, stopped, planned. Situation -> answer. */
final class JobsTest {
    private final Cluster cluster = new Cluster();

    private static JobSpec spec(String command) {
        return Cluster.job("a", JobType.SERVICE, 1, null, command);
    }

    private RegisterJob.Reply register(JobSpec spec) {
        return cluster.accept(new RegisterJob(spec, null, null, 0, cluster.id()));
    }

    private JobRow job(String id) {
        return cluster.state().job(Cluster.jobId(id)).orElseThrow();
    }

    private static JobSpec pluginJob(String baseDir) {
        return pluginJob(baseDir, "/bin/p");
    }

    private static JobSpec pluginJob(String baseDir, String command) {
        return Cluster.job("p", JobType.SYSTEM, 1, Cluster.pluginSpec(baseDir), command);
    }

    @Test
    void aNewText_isStoredUnderTheVersionOfItsEvaluation() {
        RegisterJob.Reply reply = register(spec("/bin/a"));
        assertEquals(reply.evalVersion(), reply.jobModifyVersion());
        assertEquals(0, job("a").number());
        RegisterJob.Reply next = register(spec("/bin/b"));
        assertEquals(1, job("a").number());
        assertTrue(next.jobModifyVersion() > reply.jobModifyVersion());
    }

    @Test
    void theSameTextAgain_isOnlyEvaluated() {
        RegisterJob.Reply first = register(spec("/bin/a"));
        RegisterJob.Reply again = register(spec("/bin/a"));
        assertEquals(first.jobModifyVersion(), again.jobModifyVersion());
        assertEquals(0, job("a").number());
        assertTrue(cluster.state().evaluations().get(again.evalId()).isPresent());
    }

    @Test
    void anEnforcedVersion_isComparedWithTheStoredOne() {
        assertEquals(
                "Enforcing job modify index 7: job does not exist",
                cluster.refuse(new RegisterJob(spec("/bin/a"), null, 7L, 0, cluster.id())));
        RegisterJob.Reply reply = cluster.accept(new RegisterJob(spec("/bin/a"), null, 0L, 0, cluster.id()));
        assertEquals(
                "Enforcing job modify index 0: job already exists",
                cluster.refuse(new RegisterJob(spec("/bin/b"), null, 0L, 0, cluster.id())));
        String words = cluster.refuse(new RegisterJob(spec("/bin/b"), null, 99L, 0, cluster.id()));
        assertEquals(
                "Enforcing job modify index 99: job exists with conflicting job modify index: "
                        + reply.jobModifyVersion(),
                words);
        cluster.accept(new RegisterJob(spec("/bin/b"), null, reply.jobModifyVersion(), 0, cluster.id()));
    }

    @Test
    void anUnknownJobThatIsStopped_isAnsweredWithNothing() {
        DeregisterJob.Reply reply =
                cluster.accept(new DeregisterJob(Cluster.jobId("x"), false, false, false, 0, cluster.id()));
        assertEquals(new DeregisterJob.Reply("", 0, 0), reply);
        assertEquals(0, cluster.state().version());
    }

    @Test
    void aStoppedJob_hasItsAllocationsStopped() {
        cluster.node("n1");
        cluster.run(spec("/bin/a"));
        cluster.stop("a");
        assertEquals(DesiredStatus.STOP, cluster.allocation("a").desired());
        assertEquals(JobStatus.DEAD, cluster.state().jobStatus(job("a")));
    }

    /** As clients know it; its evaluation says what it waits for. */
    @Test
    void aServiceThatFoundNoPlace_runs_andABatchJobIsPending() {
        cluster.run(spec("/bin/a"));
        assertEquals(JobStatus.RUNNING, cluster.state().jobStatus(job("a")));
        cluster.run(Cluster.job("b", JobType.BATCH, 1));
        assertEquals(JobStatus.PENDING, cluster.state().jobStatus(job("b")));
    }

    @Test
    void aPurgedJob_isGoneWhileItsAllocationsAreStopped() {
        cluster.node("n1");
        cluster.run(spec("/bin/a"));
        cluster.accept(new DeregisterJob(Cluster.jobId("a"), true, false, true, 0, cluster.id()));
        cluster.schedule();
        assertTrue(cluster.state().job(Cluster.jobId("a")).isEmpty());
        AllocationRow row = cluster.allocation("a");
        assertEquals(DesiredStatus.STOP, row.desired());
        assertTrue(row.wanted().noShutdownDelay());
        assertTrue(cluster.state().jobVersion(row.jobVersion()).isPresent(), "the node needs it");
    }

    @Test
    void thePluginsJobWithConsumers_isNotStoppedButByForce() {
        cluster.node("n1");
        cluster.run(pluginJob("/local/csi"));
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        DeregisterJob stop = new DeregisterJob(Cluster.jobId("p"), false, false, false, 0, cluster.id());
        String words = cluster.refuse(stop);
        assertTrue(words.contains("volume v in namespace default"), words);
        assertTrue(words.contains(cluster.allocation("a").id()), words);
        assertTrue(words.contains("-force"), words);
        cluster.accept(new DeregisterJob(Cluster.jobId("p"), false, true, false, 0, cluster.id()));
        assertTrue(job("p").stop());
    }

    @Test
    void thePluginsJobWithoutConsumers_isStopped() {
        cluster.node("n1");
        cluster.run(pluginJob("/local/csi"));
        cluster.stop("p");
        assertTrue(job("p").stop());
    }

    @Test
    void aPluginsDirectoryThatMovesWhileVolumesAreInUse_isRefused() {
        cluster.node("n1");
        register(pluginJob("/local/csi"));
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        RegisterJob moves = new RegisterJob(pluginJob("/elsewhere"), null, null, 0, cluster.id());
        String words = cluster.refuse(moves);
        assertTrue(words.startsWith("stage_publish_base_dir cannot change"), words);
        cluster.stop("a");
        cluster.report(cluster.allocation("a"), ClientStatus.COMPLETE, VolumeProgress.Phase.NONE);
        cluster.accept(moves);
    }

    /** It was stored, ended the old instance, and was then refused by the node for ever. */
    @Test
    void aPluginsDriverThatChangesWhileVolumesAreInUse_isRefused() {
        cluster.node("n1");
        register(pluginJob("/local/csi"));
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        String words = cluster.refuse(isolated());
        assertTrue(words.startsWith("the driver cannot change from raw_exec to exec"), words);
        assertTrue(words.contains(cluster.allocation("a").id()), words);
        cluster.accept(new RegisterJob(pluginJob("/local/csi", "/bin/newer"), null, null, 0, cluster.id()));
        cluster.stop("a");
        cluster.report(cluster.allocation("a"), ClientStatus.COMPLETE, VolumeProgress.Phase.NONE);
        cluster.accept(isolated());
    }

    /** The node would come back with what it has mounted, and refuse the new one for ever. */
    @Test
    void aPluginsDirectoryThatMovesWhileTheNodeIsAway_isRefused() {
        cluster.node("n1");
        register(pluginJob("/local/csi"));
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.runs("a");
        cluster.down("n1");
        String words = cluster.refuse(new RegisterJob(pluginJob("/elsewhere"), null, null, 0, cluster.id()));
        assertTrue(words.startsWith("stage_publish_base_dir cannot change"), words);
    }

    @Test
    void aStoppedPluginsDriverThatChangesWhileVolumesAreInUse_isRefused() {
        cluster.node("n1");
        register(pluginJob("/local/csi"));
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.accept(new DeregisterJob(Cluster.jobId("p"), false, true, false, 0, cluster.id()));
        String words = cluster.refuse(isolated());
        assertTrue(words.startsWith("the driver cannot change from raw_exec to exec"), words);
    }

    /** Only the node service is told of paths. */
    @Test
    void aControllersDriver_mayChangeWhileVolumesAreInUse() {
        cluster.node("n1");
        register(controllerJob("raw_exec"));
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        register(controllerJob("exec"));
    }

    private RegisterJob isolated() {
        return new RegisterJob(Cluster.driven(pluginJob("/local/csi"), "exec"), null, null, 0, cluster.id());
    }

    private static JobSpec controllerJob(String driver) {
        CsiPluginSpec controller = new CsiPluginSpec(
                Cluster.PLUGIN, PluginType.CONTROLLER, "/csi", "/local/csi", Duration.ofSeconds(30), null);
        JobSpec job = Cluster.job("c", JobType.SERVICE, 1, controller, "/bin/c");
        return Cluster.driven(job, driver);
    }

    @Test
    void aStoppedAllocation_isReplaced() {
        cluster.node("n1");
        cluster.run(spec("/bin/a"));
        AllocationRow old = cluster.allocation("a");
        StopAllocation.Reply reply = cluster.accept(new StopAllocation(old.id(), false, cluster.id()));
        assertEquals(
                Trigger.ALLOC_STOP,
                cluster.state()
                        .evaluations()
                        .get(reply.evalId())
                        .orElseThrow()
                        .asked()
                        .triggeredBy());
        cluster.schedule();
        assertEquals(old.id(), cluster.allocation("a").lineage().previous());
        assertEquals(
                cluster.allocation("a").id(),
                cluster.state().allocation(old.id()).orElseThrow().lineage().next());
    }

    @Test
    void ofManyUsers_aRefusalNamesTheFirst() {
        cluster.node("n1");
        cluster.volume("v", Cluster.SHARED);
        cluster.run(pluginJob("/local/csi"));
        cluster.run(Cluster.job("a", JobType.SERVICE, 7, Cluster.request("v", Cluster.SHARED, false)));
        for (Command<?> command : List.of(
                new DeregisterJob(Cluster.jobId("p"), false, false, false, 0, cluster.id()),
                new DeregisterVolume(Cluster.volumeId("v"), false))) {
            String words = cluster.refuse(command);
            assertEquals(5, words.split("of job default/a", -1).length - 1, words);
            assertTrue(words.contains("; and 2 more. Stop these first"), words);
        }
    }

    @Test
    void anUnknownAllocation_isNotFound() {
        assertEquals("alloc not found", cluster.refuse(new StopAllocation("x", false, cluster.id())));
    }

    @Test
    void aFailedAllocation_isPlacedAnewOnlyAfterItsDelay() {
        cluster.node("n1");
        cluster.run(spec("/bin/a"));
        AllocationRow failed = cluster.allocation("a");
        cluster.ends(failed, ClientStatus.FAILED);
        assertEquals(failed.id(), cluster.allocation("a").id(), "not yet");
        String followUp = cluster.allocation("a").lineage().followupEval();
        EvaluationRow later = cluster.state().evaluations().get(followUp).orElseThrow();
        assertTrue(Objects.requireNonNull(later.waitUntil()).isAfter(cluster.now()));
        cluster.pass(Duration.ofMinutes(1));
        cluster.schedule();
        assertEquals(failed.id(), cluster.allocation("a").lineage().previous());
        assertEquals(1, cluster.allocation("a").lineage().reschedules().size());
    }

    /** Fails the newest allocation now, and says how long its replacement is waited for. */
    private Duration waitsAfterAFailure() {
        cluster.ends(cluster.allocation("a"), ClientStatus.FAILED);
        AllocationRow failed = cluster.allocation("a");
        EvaluationRow later = cluster.state()
                .evaluations()
                .get(failed.lineage().followupEval())
                .orElseThrow();
        Duration wait = Duration.between(
                Objects.requireNonNull(failed.seen().endedAt()), Objects.requireNonNull(later.waitUntil()));
        cluster.pass(wait.plusSeconds(1));
        cluster.schedule();
        assertEquals(ClientStatus.PENDING, cluster.allocation("a").status());
        return wait;
    }

    @Test
    void theDelayOfAReplacementGrows_untilOneHasRunForLongerThanTheLongest() {
        cluster.node("n1");
        cluster.run(spec("/bin/a"));
        assertEquals(Duration.ofSeconds(30), waitsAfterAFailure());
        assertEquals(Duration.ofMinutes(1), waitsAfterAFailure());
        assertEquals(Duration.ofMinutes(2), waitsAfterAFailure());
        cluster.pass(Duration.ofMinutes(61));
        assertEquals(Duration.ofSeconds(30), waitsAfterAFailure());
        assertEquals(Duration.ofMinutes(1), waitsAfterAFailure());
    }

    @Test
    void aBatchAllocationThatEndedWell_isNotPlacedAnew() {
        cluster.node("n1");
        cluster.run(Cluster.job("a", JobType.BATCH, 1));
        cluster.ends(cluster.allocation("a"), ClientStatus.COMPLETE);
        assertEquals(1, cluster.state().allocationsOfJob(Cluster.jobId("a")).size());
        assertEquals(JobStatus.DEAD, cluster.state().jobStatus(job("a")));
    }

    @Test
    void aPlanForAnEvaluationThatIsSettled_isDropped() {
        cluster.node("n1");
        register(spec("/bin/a"));
        Plan plan = cluster.plan(cluster.due().getFirst());
        cluster.accept(new CommitPlan(plan, cluster.id()));
        String words = cluster.refuse(new CommitPlan(plan, cluster.id()));
        assertTrue(words.contains("is not pending but complete"), words);
    }

    @Test
    void aPlanWhoseVolumeWentToAnother_isRefusedWithItsHolder() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        VolumeRequest request = Cluster.request("v", Cluster.WRITER, false);
        register(Cluster.job("a", JobType.SERVICE, 1, request));
        register(Cluster.job("b", JobType.SERVICE, 1, request));
        Plan first = cluster.plan(cluster.due().getFirst());
        Plan second = cluster.plan(cluster.due().getLast());
        cluster.accept(new CommitPlan(first, cluster.id()));
        String words = cluster.refuse(new CommitPlan(second, cluster.id()));
        assertTrue(words.contains("volume v in namespace default"), words);
        assertTrue(words.contains("volume max claims reached"), words);
        assertTrue(words.contains("the evaluation is planned again"), words);
        assertEquals(1, cluster.due().size(), "it went back");
    }

    @Test
    void aPlanWhoseNodeWentAway_isRefused() {
        cluster.node("n1");
        register(spec("/bin/a"));
        Plan plan = cluster.plan(cluster.due().getFirst());
        cluster.accept(new NodeUnheard("n1", "heartbeat missed", cluster.id()));
        String words = cluster.refuse(new CommitPlan(plan, cluster.id()));
        assertTrue(words.contains("the node takes nothing new"), words);
    }

    @Test
    void aPlanWhoseRoomWentToAnother_isRefusedWithFigures() {
        cluster.register(cluster.facts("n1", "b"));
        register(Cluster.job("a", JobType.SERVICE, 20));
        register(Cluster.job("b", JobType.SERVICE, 1));
        Plan first = cluster.plan(cluster.due().getFirst());
        Plan second = cluster.plan(cluster.due().getLast());
        cluster.accept(new CommitPlan(first, cluster.id()));
        String words = cluster.refuse(new CommitPlan(second, cluster.id()));
        assertTrue(words.contains("2100 of 2000 MHz"), words);
    }

    @Test
    void whatGotFreeSinceThePlan_isLookedForAgainAtOnce() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.runs("a");
        register(Cluster.job("b", JobType.SERVICE, 1, Cluster.request("v", Cluster.WRITER, false)));
        Plan old = cluster.plan(cluster.due().getFirst());
        assertTrue(!old.isComplete());
        cluster.accept(new DeregisterJob(Cluster.jobId("a"), false, false, false, 0, cluster.id()));
        cluster.accept(new CommitPlan(cluster.plan(cluster.due().getLast()), cluster.id()));
        cluster.report(cluster.allocation("a"), ClientStatus.COMPLETE, VolumeProgress.Phase.UNPUBLISHED);
        CommitPlan.Reply reply = cluster.accept(new CommitPlan(old, cluster.id()));
        assertEquals(
                EvaluationStatus.PENDING,
                cluster.state()
                        .evaluations()
                        .get(reply.blockedEval())
                        .orElseThrow()
                        .status());
        cluster.schedule();
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "b").state());
    }
}
