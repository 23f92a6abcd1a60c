package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.TaskRunner;
import io.cleat.agent.task.TestTasks;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.driver.ExitResult;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.MountOptions;
import io.cleat.model.RestartPolicy;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskLifecycle.Hook;
import io.cleat.model.TaskState;
import io.cleat.model.UpdatePolicy;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeMount;
import io.cleat.testkit.Eventually;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The life of the tasks of one allocation, also over the agent's death. */
final class TaskLifeTest extends AgentFixture {
    private static final ExitResult WELL = new ExitResult(0, 0, false);
    private static final ExitResult BADLY = new ExitResult(1, 0, false);
    private static final Task MAIN = mounting("main");
    private static final Task PRE = TestTasks.hook("pre", Hook.PRESTART, false);
    private static final Task SIDE = TestTasks.hook("side", Hook.PRESTART, true);
    private static final Task POST = TestTasks.hook("post", Hook.POSTSTART, false);
    private static final Task STOP =
            TestTasks.hook("stop", Hook.POSTSTOP, false, new VolumeMount("data", "/data", false, "private", ""));

    private long version;

    private static Task mounting(String name) {
        return TestTasks.task(name, 0, null, new VolumeMount("data", "/data", false, "private", ""));
    }

    private void assign(DesiredStatus desired, Task... tasks) throws InterruptedException {
        assign(desired, job(null, null, tasks), false, null);
    }

    private void assign(DesiredStatus desired, JobSpec job, boolean noDelay, @Nullable String deployment)
            throws InterruptedException {
        ToNode.AssignedVolume data = new ToNode.AssignedVolume(
                new VolumeId("default", "data"),
                "p",
                "ext-data",
                false,
                new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM),
                MountOptions.NONE,
                Map.of(),
                new ToNode.Grant(7, Secrets.none(), Secrets.none(), 0, false),
                null);
        allocations.assign(
                ++version,
                List.of(new ToNode.Assignment(
                        ID, "web.g[0]", 0, "eval", job, 0, "g", desired, Map.of("data", data), noDelay, deployment)));
    }

    private static JobSpec job(@Nullable Duration shutdownDelay, @Nullable UpdatePolicy update, Task... tasks) {
        return job(shutdownDelay, update, JobType.SERVICE, tasks);
    }

    private static JobSpec job(
            @Nullable Duration shutdownDelay, @Nullable UpdatePolicy update, JobType type, Task... tasks) {
        JobSpec plain = TestTasks.job(type, Map.of(), tasks);
        TaskGroup group = plain.groups().getFirst();
        return new JobSpec(
                plain.id(),
                plain.name(),
                plain.type(),
                plain.region(),
                plain.nodePool(),
                plain.priority(),
                plain.allAtOnce(),
                plain.datacenters(),
                plain.meta(),
                plain.constraints(),
                List.of(new TaskGroup(
                        group.name(),
                        group.count(),
                        group.meta(),
                        group.constraints(),
                        group.volumes(),
                        group.restart(),
                        null,
                        null,
                        update,
                        group.disk(),
                        shutdownDelay,
                        group.tasks())));
    }

    private ToServer.AllocReport awaitPhase(String task, TaskState.Phase phase) throws InterruptedException {
        return awaitReport(report -> state(report, task).phase() == phase);
    }

    private ToServer.AllocReport report() {
        return allocations.report(ID).orElseThrow();
    }

    private TaskRunner runner(String task) {
        return allocations.task(ID, task).orElseThrow();
    }

    @Test
    void mainTasksStartOnceWhatComesBeforeThemIsDone() throws Exception {
        assign(DesiredStatus.RUN, MAIN, PRE, SIDE, POST, STOP);
        String pre = driver.awaitStart("pre", 1);
        driver.awaitStart("side", 1);
        ToServer.AllocReport report = awaitPhase("side", TaskState.Phase.RUNNING);
        assertEquals(List.of("Received"), events(report, "main"));
        assertEquals(2, driver.starts());
        driver.end(pre, WELL);
        driver.awaitStart("main", 1);
        String post = driver.awaitStart("post", 1);
        driver.end(post, WELL);
        report = awaitPhase("post", TaskState.Phase.DEAD);
        assertEquals(0, state(report, "post").restarts());
        assertEquals(ClientStatus.RUNNING, report.status());
        assertEquals(TaskState.Phase.PENDING, state(report, "stop").phase());
    }

    @Test
    void aFailedPrestartFailsAllAndThePoststopStillRuns() throws Exception {
        assign(DesiredStatus.RUN, MAIN, PRE, STOP);
        driver.end(driver.awaitStart("pre", 1), BADLY);
        driver.end(driver.awaitStart("stop", 1), WELL);
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertEquals(List.of("Received", "Sibling Task Failed"), events(report, "main"));
        assertFalse(state(report, "main").failed());
    }

    @Test
    void theVolumeStaysMountedUntilThePoststopHasEnded() throws Exception {
        assign(DesiredStatus.RUN, MAIN, STOP);
        awaitPhase("main", TaskState.Phase.RUNNING);
        assign(DesiredStatus.STOP, MAIN, STOP);
        String stop = driver.awaitStart("stop", 1);
        assertEquals(1, volumes.publishedNow().size());
        driver.end(stop, WELL);
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        assertEquals(
                VolumePhase.UNPUBLISHED,
                Objects.requireNonNull(report.volumes().get("data")).phase());
    }

    @Test
    void thePoststopRunsThoughTheAgentDiedBeforeItBegan() throws Exception {
        assign(DesiredStatus.RUN, MAIN, STOP);
        awaitPhase("main", TaskState.Phase.RUNNING);
        die();
        driver.end(driver.awaitStart("main", 1), BADLY);
        restart();
        String stop = driver.awaitStart("stop", 1);
        restart();
        assertEquals(1, volumes.publishedNow().size());
        driver.end(stop, WELL);
        awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertEquals(2, driver.starts());
    }

    @Test
    void anAgentThatDiesInPrestartGoesOnThere() throws Exception {
        assign(DesiredStatus.RUN, MAIN, PRE);
        String pre = driver.awaitStart("pre", 1);
        awaitPhase("pre", TaskState.Phase.RUNNING);
        restart();
        assertEquals(1, driver.starts());
        driver.end(pre, WELL);
        driver.awaitStart("main", 1);
        assertEquals(2, driver.starts());
    }

    @Test
    void theLeadersEndEndsTheOthersAndSidecarsLast() throws Exception {
        assign(DesiredStatus.RUN, TestTasks.leader("lead"), MAIN, SIDE);
        String lead = driver.awaitStart("lead", 1);
        awaitPhase("main", TaskState.Phase.RUNNING);
        awaitPhase("lead", TaskState.Phase.RUNNING);
        Eventually.holds(() -> runner("lead").running().signal("SIGTERM", "a test"), "it takes signals");
        assertEquals("lead SIGTERM PT0S", driver.stops().getFirst());
        ToServer.AllocReport report = awaitReport(r -> r.status().isTerminal());
        assertTrue(lead.contains("/lead/"));
        assertTrue(events(report, "main").contains("Sibling Task Failed"), report.toString());
        List<String> order = driver.stops().stream()
                .map(stop -> stop.substring(0, stop.indexOf(' ')))
                .distinct()
                .toList();
        assertEquals(List.of("lead", "main", "side"), order);
    }

    /** Of an hour what the node admits; a minute was cut to 30 s. */
    @Test
    void aStopEndsTheLeaderFirstBySignalAndWithACappedTimeout() throws Exception {
        Task main = TestTasks.ending("main", "SIGINT", Duration.ZERO)
                .edit()
                .killTimeout(Duration.ofMinutes(1))
                .done();
        assign(DesiredStatus.RUN, main, TestTasks.leader("lead"));
        awaitPhase("main", TaskState.Phase.RUNNING);
        awaitPhase("lead", TaskState.Phase.RUNNING);
        assign(DesiredStatus.STOP, main, TestTasks.leader("lead"));
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        assertEquals(
                List.of("lead  PT10M", "main SIGINT PT1M"),
                driver.stops().stream().filter(stop -> !stop.endsWith("PT0S")).toList());
    }

    @Test
    void aShutdownDelayIsWaitedForAndCutShortOnRequest() throws Exception {
        Task slow = TestTasks.ending("slow", "", Duration.ofHours(1));
        JobSpec job = job(null, null, slow);
        assign(DesiredStatus.RUN, job, false, null);
        awaitPhase("slow", TaskState.Phase.RUNNING);
        assign(DesiredStatus.STOP, job, false, null);
        awaitReport(r -> events(r, "slow").contains("Waiting for shutdown delay"));
        assertEquals(List.of(), driver.stops());
        assign(DesiredStatus.STOP, job, true, null);
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
    }

    @Test
    void aTaskThatIsEndedWhileItStartsHasItsShutdownDelay() throws Exception {
        Task slow = TestTasks.ending("slow", "", Duration.ofHours(1));
        JobSpec job = job(null, null, slow);
        driver.holdStarts();
        assign(DesiredStatus.RUN, job, false, null);
        driver.awaitStart("slow", 1);
        assign(DesiredStatus.STOP, job, false, null);
        awaitThread("end/" + ID + "/slow");
        driver.letStartsReturn();
        awaitReport(r -> events(r, "slow").contains("Waiting for shutdown delay"));
        assertEquals(List.of(), driver.stops());
        assign(DesiredStatus.STOP, job, true, null);
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
    }

    @Test
    void aTaskThatIsEndedBeforeItIsFoundAgainHasItsShutdownDelay() throws Exception {
        Task slow = TestTasks.ending("slow", "", Duration.ofHours(1));
        JobSpec job = job(null, null, slow);
        assign(DesiredStatus.RUN, job, false, null);
        awaitPhase("slow", TaskState.Phase.RUNNING);
        assign(DesiredStatus.STOP, job, false, null);
        awaitReport(r -> events(r, "slow").contains("Waiting for shutdown delay"));
        restart();
        awaitReport(r -> events(r, "slow").stream()
                        .filter("Waiting for shutdown delay"::equals)
                        .count()
                == 2);
        assertEquals(List.of(), driver.stops());
        assign(DesiredStatus.STOP, job, true, null);
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
    }

    @Test
    void theGroupsShutdownDelayIsCutShortOnRequestToo() throws Exception {
        JobSpec job = job(Duration.ofHours(1), null, MAIN);
        assign(DesiredStatus.RUN, job, false, null);
        awaitPhase("main", TaskState.Phase.RUNNING);
        assign(DesiredStatus.STOP, job, false, null);
        restart();
        assertEquals(List.of(), driver.stops());
        assign(DesiredStatus.STOP, job, true, null);
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
    }

    @Test
    void aCrashLoopIsCountedOverTheAgentsDeaths() throws Exception {
        Task crashing = TestTasks.task("main", 2, null);
        assign(DesiredStatus.RUN, crashing);
        for (int start = 1; start <= 3; start++) {
            String run = driver.awaitStart("main", start);
            int restarts = start - 1;
            awaitReport(r -> state(r, "main").phase() == TaskState.Phase.RUNNING
                    && state(r, "main").restarts() == restarts);
            restart();
            driver.end(run, BADLY);
        }
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertEquals("Not Restarting", events(report, "main").getLast());
        assertEquals(3, driver.starts());
    }

    @Test
    void theWaitForTheNextStartGoesOnAfterTheAgentsDeath() throws Exception {
        Task waiting = TestTasks.restarting(
                "main", new RestartPolicy(1, Duration.ofHours(2), Duration.ofHours(1), RestartPolicy.Mode.FAIL, false));
        assign(DesiredStatus.RUN, waiting);
        driver.end(driver.awaitStart("main", 1), BADLY);
        awaitReport(r -> events(r, "main").getLast().equals("Restarting"));
        restart();
        assign(DesiredStatus.RUN, waiting);
        assertEquals(TaskState.Phase.PENDING, state(report(), "main").phase());
        assign(DesiredStatus.STOP, waiting);
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        assertEquals(1, driver.starts());
    }

    @Test
    void aRestartOnRequestIsNoFailure() throws Exception {
        assign(DesiredStatus.RUN, MAIN, POST);
        driver.end(driver.awaitStart("post", 1), WELL);
        awaitPhase("post", TaskState.Phase.DEAD);
        awaitPhase("main", TaskState.Phase.RUNNING);
        Eventually.holds(() -> runner("main").running().restart("a test"), "it can be restarted");
        driver.awaitStart("main", 2);
        ToServer.AllocReport report = awaitReport(r -> state(r, "main").restarts() == 1);
        assertTrue(events(report, "main").contains("Restart Signaled"));
        assertFalse(runner("post").running().restart("a test"));
        assertEquals(Optional.empty(), allocations.task(ID, "other"));
    }

    @Test
    void aRestartOfAllTasksBeginsFromTheFirst() throws Exception {
        assign(DesiredStatus.RUN, MAIN, PRE, STOP);
        driver.end(driver.awaitStart("pre", 1), WELL);
        awaitPhase("main", TaskState.Phase.RUNNING);
        allocations.restartAll(ID);
        String pre = driver.awaitStart("pre", 2);
        assertEquals(List.of(pre), driver.running());
        driver.end(pre, WELL);
        driver.awaitStart("main", 2);
        ToServer.AllocReport report = awaitPhase("main", TaskState.Phase.RUNNING);
        assertEquals(TaskState.Phase.PENDING, state(report, "stop").phase());
        assertTrue(events(report, "main").contains("Restart Signaled"));
    }

    @Test
    void aRestartOfAllTasksBeginsAlsoMainTasksThatHaveEnded() throws Exception {
        Task once = TestTasks.task("once", 0, null);
        JobSpec job = job(null, null, JobType.BATCH, once, MAIN, PRE);
        assign(DesiredStatus.RUN, job, false, null);
        driver.end(driver.awaitStart("pre", 1), WELL);
        driver.end(driver.awaitStart("once", 1), WELL);
        awaitPhase("once", TaskState.Phase.DEAD);
        awaitPhase("main", TaskState.Phase.RUNNING);
        allocations.restartAll(ID);
        String pre = driver.awaitStart("pre", 2);
        assertEquals(List.of(pre), driver.running());
        restart();
        driver.end(pre, WELL);
        driver.awaitStart("once", 2);
        driver.awaitStart("main", 2);
    }

    @Test
    void nothingIsRestartedOnceTheMainTasksHaveEnded() throws Exception {
        assign(DesiredStatus.RUN, job(null, null, JobType.BATCH, MAIN, STOP), false, null);
        driver.end(driver.awaitStart("main", 1), WELL);
        String stop = driver.awaitStart("stop", 1);
        Refused refused = assertThrows(Refused.class, () -> allocations.restartAll(ID));
        assertEquals("allocation " + ID + " has no running task", refused.getMessage());
        driver.end(stop, WELL);
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        assertThrows(Refused.class, () -> allocations.restartAll(ID));
        assertThrows(Refused.class, () -> allocations.restartAll("other"));
        assertEquals(2, driver.starts());
    }

    @Test
    void healthIsReportedForTheDeploymentThatAsksAndAnewForTheNext() throws Exception {
        UpdatePolicy update = new UpdatePolicy(
                1,
                0,
                "task_states",
                Duration.ofMillis(1),
                Duration.ofMinutes(5),
                Duration.ofMinutes(10),
                Duration.ofSeconds(30),
                false,
                false);
        JobSpec job = job(null, update, MAIN);
        assign(DesiredStatus.RUN, job, false, "d-1");
        ToServer.AllocReport report = awaitReport(r -> r.health() != null);
        assertEquals("d-1", Objects.requireNonNull(report.health()).deploymentId());
        assertTrue(report.health().healthy());
        assign(DesiredStatus.RUN, job, false, "d-2");
        awaitReport(r -> r.health() != null && r.health().deploymentId().equals("d-2"));
        assign(DesiredStatus.RUN, job, false, "d-3");
        driver.end(driver.awaitStart("main", 1), BADLY);
        report = awaitReport(r -> r.status() == ClientStatus.FAILED && r.health() != null);
        assertEquals("d-3", report.health().deploymentId());
    }
}
