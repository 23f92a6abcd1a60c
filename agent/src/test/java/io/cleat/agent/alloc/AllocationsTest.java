package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.StartPoint;
import io.cleat.agent.task.TestTasks;
import io.cleat.agent.template.Templates;
import io.cleat.base.Refused;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.kernel.FileSystems;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.Resources;
import io.cleat.model.Task;
import io.cleat.model.TaskTemplate;
import io.cleat.testkit.Eventually;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Allocations come, run, go, and outlive their agent. */
class AllocationsTest extends AgentFixture {
    /** It was read by nobody what a driver can do, and each such task failed in its own way. */
    @Test
    void aTaskWhoseDriverCannotDoWhatItAsks_failsTheAllocationBeforeAnythingIsMade() throws Exception {
        Task scripted = task(0).edit()
                .templates(List.of(
                        Templates.of("local/out", "a", TaskTemplate.ChangeMode.SCRIPT, Duration.ZERO, null, false)))
                .done();
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, scripted)));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertTrue(report.description().contains("cannot run commands"), report.description());
        assertEquals(0, driver.starts());
    }

    @Test
    void whatIsAssignedAtOnceIsWrittenDownTogether() throws Exception {
        List<ToNode.Assignment> many = IntStream.range(0, 20)
                .mapToObj(i -> plain("many-" + i, i, TestTasks.task("t", 0, null)))
                .toList();
        allocations.assign(1, many);
        assertEquals(20, allocations.known().size());
        restart();
        assertEquals(20, allocations.known().size());
    }

    @Test
    void aStopEndsTheTaskAndThenUndoesTheVolumes() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        allocations.assign(2, List.of(assignment(DesiredStatus.STOP, true, task(0))));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        assertEquals(VolumePhase.UNPUBLISHED, volume(report, "data").phase());
        assertEquals(
                List.of("Received", "Task Setup", "Started", "Killing", "Terminated", "Killed"), events(report, "t"));
        assertEquals(Set.of(), volumes.publishedNow());
        assertEquals(List.of(), driver.running());
        allocations.assign(3, List.of());
        awaitGone();
        assertEquals(List.of(dir.resolve("alloc").resolve(ID)), List.copyOf(cleared));
    }

    /** As long as any had files here, the agent's end left its control groups and its bind. */
    @Test
    void oneThatEndedAndKeepsItsFiles_isNothingThatRunsOrIsOwed() throws Exception {
        assertTrue(allocations.isAtRest());
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertFalse(allocations.isAtRest());
        allocations.assign(2, List.of(assignment(DesiredStatus.STOP, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        assertTrue(allocations.isAtRest());
        assertFalse(allocations.isEmpty());
        restart();
        assertTrue(allocations.isAtRest());
    }

    @Test
    void whatRunsForAnUnknownAllocation_isNoRest() throws Exception {
        stray();
        assertFalse(allocations.isAtRest());
    }

    /** Each kept all its files until the server forgot it. */
    @Test
    void theFilesOfOneThatEndedGiveWay_itsLogsLast() throws Exception {
        keptFiles = new KeptFiles(0, 80, 70);
        restart();
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertEquals(List.of(), List.copyOf(cleared));
        allocations.assign(2, List.of(assignment(DesiredStatus.STOP, true, task(0))));
        Path own = dir.resolve("alloc").resolve(ID);
        List<Path> allButLogs = List.of(own.resolve("t"), own.resolve("alloc/data"), own.resolve("alloc/tmp"));
        awaitCleared(allButLogs.getLast());
        assertEquals(allButLogs, List.copyOf(cleared));

        cleared.clear();
        usage = new FileSystems.Usage(100, 5, 95, 0, 0);
        restart();
        awaitCleared(allButLogs.getLast());
        ended.look();
        awaitCleared(own.resolve("alloc/logs"));
        assertEquals(allButLogs, List.copyOf(cleared).subList(0, 3));
        assertEquals(own.resolve("alloc/logs"), List.copyOf(cleared).getLast());
        assertEquals(ClientStatus.COMPLETE, allocations.report(ID).orElseThrow().status());

        allocations.assign(3, List.of());
        awaitGone();
        assertEquals(own, List.copyOf(cleared).getLast());
    }

    @Test
    void theFilesOfOne_areGivenUpWhenAskedOnceItHasEnded_andNotBefore() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertEquals(ID, allocations.open().getFirst().allocId());
        Refused running = assertThrows(Refused.class, () -> allocations.giveUpFiles(ID));
        assertTrue(
                running.refusal().message().contains("has not ended yet"),
                running.refusal().message());
        assertThrows(Refused.class, () -> allocations.giveUpFiles("other"));
        allocations.assign(2, List.of(assignment(DesiredStatus.STOP, true, task(0))));
        Eventually.holds(() -> allocations.open().isEmpty(), "it has ended");
        assertEquals(List.of(), List.copyOf(cleared), "the newest keep theirs");
        allocations.giveUpFiles(ID);
        awaitCleared(dir.resolve("alloc").resolve(ID).resolve("alloc/logs"));
    }

    @Test
    void aTaskThatFailsIsStartedAgainAndThenFailsTheAllocation() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(1))));
        driver.end(driver.awaitStart(1).id(), new ExitResult(3, 0, false));
        driver.end(driver.awaitStart(2).id(), new ExitResult(0, 0, false));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertEquals(1, state(report, "t").restarts());
        assertEquals("Not Restarting", events(report, "t").getLast());
    }

    /** Of a job that was stored before there was a rule for names. */
    @ParameterizedTest
    @ValueSource(strings = {"..", ".", "alloc", "a/../../b", "a\0b", "a\nb"})
    void aTaskWhoseNameIsNone_failsItsAllocationAndMakesNoDirectory(String name) throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, Map.of(), job(TestTasks.task(name, 0, null)))));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertTrue(report.description().startsWith("task name \""), report.description());
        assertEquals(List.of("Setup Failure"), events(report, name).subList(0, 1));
        assertEquals(List.of(), driver.running());
        assertFalse(Files.exists(dir.resolve("alloc").resolve(ID)));
        restart();
        assertEquals(ClientStatus.FAILED, allocations.report(ID).orElseThrow().status());
    }

    private static JobSpec job(Task task) {
        return TestTasks.job(JobType.SERVICE, Map.of(), task);
    }

    /** What comes from inside a container ends that task at most, and leaves nothing running. */
    @Test
    void aFaultThatATaskLeadsToEndsItAndFailsItsAllocation() throws Exception {
        driver.faultAwaits(1);
        driver.faultStops(2);
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(3))));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertTrue(
                events(report, "t").contains("Agent Fault"), events(report, "t").toString());
        assertTrue(state(report, "t").failed());
        assertEquals(List.of(), driver.running());
        assertEquals(1, driver.starts());
        assertEquals(Set.of(), volumes.publishedNow());
        assertEquals(3, expectedFaults().size());
        allocations.assign(2, List.of());
        awaitGone();
    }

    @Test
    void aTaskThatCannotStartSaysWhy() throws Exception {
        driver.refuseStarts(1);
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertEquals(List.of("Received", "Task Setup", "Driver Failure", "Not Restarting"), events(report, "t"));
    }

    @Test
    void aFailedTaskEndsItsSiblings() throws Exception {
        Task other = TestTasks.task("u", 0, null);
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0), other)));
        driver.awaitStart(2);
        String first = driver.running().stream()
                .filter(id -> id.contains("/t/"))
                .findFirst()
                .orElseThrow();
        driver.end(first, new ExitResult(1, 0, false));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertTrue(
                state(report, "u").events().stream().anyMatch(e -> e.type().equals("Sibling Task Failed")),
                state(report, "u").toString());
        assertFalse(state(report, "u").failed());
    }

    @Test
    void theOutputOfADriversTasksIsNotKeptWhereItsOperatorSaysSo() throws Exception {
        withoutLogs = Set.of("fake");
        restart();
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        assertTrue(driver.awaitStart(1).logs().disabled());
        assertFalse(allocations.collectsLogs(ID, "t"));
    }

    @Test
    void aNewAgentTakesOverWhatRunsWithoutStartingIt() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        restart();
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertEquals(List.of("Received", "Task Setup", "Started"), events(report, "t"));
        assertEquals(VolumePhase.PUBLISHED, volume(report, "data").phase());
        assertEquals(1, driver.starts());
        driver.end(driver.awaitStart(1).id(), new ExitResult(7, 0, false, 1200));
        report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertTrue(
                events(report, "t").contains("Output Lost"), events(report, "t").toString());
        assertEquals(
                "Exit Code: 7",
                state(report, "t").events().stream()
                        .filter(e -> e.type().equals("Terminated"))
                        .findFirst()
                        .orElseThrow()
                        .message());
    }

    @Test
    void aTaskThatEndedWhileNoAgentRanIsKnownAfterwards() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        String run = driver.awaitStart(1).id();
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        die();
        driver.end(run, new ExitResult(9, 0, false));
        restart();
        awaitReport(r -> r.status() == ClientStatus.FAILED);
    }

    @Test
    void withoutAServerNothingGoesForward() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, false, task(0))));
        awaitReport(r -> r.status() == ClientStatus.PENDING);
        restart();
        awaitReport(r -> r.status() == ClientStatus.PENDING);
        assertEquals(Set.of(), volumes.publishedNow());
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
    }

    @Test
    void whatRunsForAnUnknownAllocationIsNamed() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertEquals(List.of(), allocations.strays());
        stray();
        assertEquals(1, allocations.strays().size());
        assertTrue(allocations.strays().getFirst().contains("allocation lost"));
    }

    private void stray() throws Exception {
        driver.start(new TaskConfig(
                "lost/t/00000000",
                "lost",
                "t",
                Map.of(),
                Map.of(),
                "",
                Resources.NONE,
                dir,
                dir,
                List.of(),
                new TaskConfig.Logs(dir, 1, 1, true)));
    }

    @Test
    void anOlderListIsIgnored() throws Exception {
        allocations.assign(5, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        allocations.assign(4, List.of());
        assertTrue(allocations.report(ID).isPresent());
        assertEquals(1, driver.running().size());
    }

    private static ToNode.Assignment other() {
        return plain("other", 1, TestTasks.task("o", 0, null));
    }

    @Test
    void aChangeLeavesWhatItDoesNotNameAsItIs() throws Exception {
        allocations.assign(1, List.of(other()));
        allocations.change(2, List.of(assignment(DesiredStatus.RUN, true, task(0))), List.of());
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        driver.awaitStart("o", 1);
        allocations.change(3, List.of(assignment(DesiredStatus.STOP, true, task(0))), List.of());
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        allocations.change(4, List.of(), List.of(ID));
        awaitGone();
        assertEquals(List.of("other"), List.copyOf(allocations.known()));
        assertEquals(1, driver.running().size());
    }

    @Test
    void anOlderChangeIsIgnored() throws Exception {
        allocations.assign(5, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        allocations.change(4, List.of(), List.of(ID));
        assertEquals(List.of(ID), List.copyOf(allocations.known()));
    }

    /** As on a full disk: its file cannot take the place of what is there. */
    private Path blocked() throws Exception {
        return Files.createDirectories(dir.resolve("state/" + ID + ".allocation/in-the-way"));
    }

    private void unblock(Path inTheWay) throws Exception {
        Files.delete(inTheWay);
        Files.delete(Objects.requireNonNull(inTheWay.getParent()));
    }

    /** It waited for the next list, which comes no more where nothing of the node changes. */
    @Test
    void whatCannotBeWrittenDown_isTakenOnceItCan() throws Exception {
        Path inTheWay = blocked();
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        assertEquals(List.of(), List.copyOf(allocations.known()));
        unblock(inTheWay);
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
    }

    @Test
    void whatCannotBeWrittenDown_isTakenAsItIsWantedThen() throws Exception {
        Path inTheWay = blocked();
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        allocations.change(2, List.of(assignment(DesiredStatus.STOP, true, task(0))), List.of());
        unblock(inTheWay);
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        assertEquals(0, driver.starts());
    }

    @Test
    void whatCannotBeWrittenDown_andIsWantedNoMore_isNotTaken() throws Exception {
        Path inTheWay = blocked();
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        allocations.change(2, List.of(), List.of(ID));
        // A try that is under way has what is in its way; the next one finds that nobody wants it.
        awaitThread("take-again/" + ID);
        unblock(inTheWay);
        assertEquals(List.of(), List.copyOf(allocations.known()));
        assertEquals(0, driver.starts());
    }

    @Test
    void aFaultWhileItIsTakenAgain_failsIt() throws Exception {
        die();
        AtomicInteger tries = new AtomicInteger();
        startPoints = point -> {
            if (point == StartPoint.BEFORE_TAKEN && tries.incrementAndGet() == 2) {
                throw new IllegalStateException("planted");
            }
        };
        start();
        blocked();
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertTrue(report.description().contains("planted"), report.description());
        assertEquals(0, driver.starts());
        assertFalse(expectedFaults().isEmpty());
    }
}
