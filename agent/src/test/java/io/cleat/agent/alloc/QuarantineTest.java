package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.TestTasks;
import io.cleat.base.Refused;
import io.cleat.model.ClientStatus;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobType;
import io.cleat.model.MountLoss;
import io.cleat.model.PluginType;
import io.cleat.model.Task;
import io.cleat.testkit.Eventually;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is taken over after an end that was not in order, and what is not. */
class QuarantineTest extends AgentFixture {
    private static final String OTHER = "11111111-c520-74d0-6e49-2a300b1810ee";

    private static ToNode.Assignment other(Task task) {
        return plain(OTHER, 1, task);
    }

    private ToNode.Assignment own(DesiredStatus desired) {
        return assignment(desired, true, task(0));
    }

    private void runBoth() throws Exception {
        allocations.assign(1, List.of(own(DesiredStatus.RUN), other(TestTasks.task("o", 0, null))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        driver.awaitStart("o", 1);
        while (allocations.report(OTHER).orElseThrow().status() != ClientStatus.RUNNING) {
            news.take();
        }
    }

    /** Its thread finds it again. */
    private void awaitOtherTask() {
        while (allocations.task(OTHER, "o").isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private void restartWithOwnInQuarantine() throws Exception {
        notes.mostAtOnce = 1;
        notes.quarantined.add("allocation " + ID);
        restart();
    }

    @Test
    void afterAnUncleanEnd_eachIsTakenOverBeforeTheNextIsBegun() throws Exception {
        runBoth();
        notes.mostAtOnce = 1;
        restart();
        assertEquals(
                all(
                        "reading allocation " + OTHER,
                        "reading allocation " + ID,
                        "allocation " + OTHER,
                        "allocation " + ID),
                notes.noted);
        assertEquals(2, driver.starts());
    }

    @Test
    void pluginsAreTakenOverFirst() throws Exception {
        CsiPluginSpec plugin = new CsiPluginSpec("p", PluginType.NODE, "/csi", "", Duration.ofSeconds(1), null);
        AllocationStore store = new AllocationStore(dir.resolve("state"));
        ToNode.Assignment serving = assignment(
                DesiredStatus.RUN, Map.of(), TestTasks.job(JobType.SERVICE, Map.of(), TestTasks.task("t", 0, plugin)));
        store.put(KnownAllocation.of(serving, Instant.EPOCH).over());
        store.put(KnownAllocation.of(other(TestTasks.task("o", 0, null)), Instant.EPOCH)
                .over());
        notes.mostAtOnce = 1;
        restart();
        assertEquals(all("allocation " + ID, "allocation " + OTHER), notes.noted.subList(4, 8));
    }

    private static List<String> all(String... works) {
        return Stream.of(works)
                .flatMap(what -> Stream.of("begin " + what, "end " + what))
                .toList();
    }

    @Test
    void oneThatWaitsForItsGrant_isNotInWork() throws Exception {
        allocations.assign(1, List.of(own(DesiredStatus.RUN)));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        notes.mostAtOnce = 1;
        boot();
        assertTrue(notes.noted.contains("end allocation " + ID), notes.noted.toString());
        assertEquals(VolumePhase.NONE, volume(awaitReport(r -> true), "data").phase());
    }

    @Test
    void oneInQuarantine_isLeftAsItIs_andSaysSo_andTheOthersAreTakenOver() throws Exception {
        runBoth();
        restartWithOwnInQuarantine();
        assertEquals(Set.of(ID, OTHER), Set.copyOf(allocations.known()));
        ToServer.AllocReport report = allocations.report(ID).orElseThrow();
        assertEquals(ClientStatus.RUNNING, report.status());
        assertTrue(
                report.description().startsWith("quarantined: this agent ended twice in a row"), report.description());
        assertTrue(report.description().contains("end the agent with SIGTERM"));
        assertEquals(List.of("Received", "Task Setup", "Started"), events(report, "t"));
        assertEquals(VolumePhase.PUBLISHED, volume(report, "data").phase());
        awaitOtherTask();
        assertTrue(allocations.task(ID, "t").isEmpty());
        assertEquals(List.of(), allocations.strays());
        Refused refused = assertThrows(Refused.class, () -> allocations.requireTakenOver(ID));
        assertTrue(refused.refusal().message().contains("is quarantined: this agent ended"));
        assertThrows(Refused.class, () -> allocations.restartAll(ID));
        allocations.requireTakenOver(OTHER);
    }

    @Test
    void oneInQuarantine_isNotEndedThoughTheServerWantsIt_untilItIsTakenOver() throws Exception {
        runBoth();
        restartWithOwnInQuarantine();
        allocations.assign(2, List.of(own(DesiredStatus.STOP)));
        ToServer.AllocReport report = allocations.report(ID).orElseThrow();
        assertEquals(ClientStatus.RUNNING, report.status());
        assertTrue(report.description().contains("It is to end, and that waits too."));
        allocations.assign(3, List.of());
        assertEquals(report, allocations.report(ID).orElseThrow());
        assertEquals(
                1, driver.running().stream().filter(run -> run.startsWith(ID)).count());
        assertEquals(2, volumes.publishedNow().size());
        allocations.mountLost(ID, "data", MountLoss.RESTART_TASKS);
        assertEquals(List.of(), volumes.remounted());

        notes.quarantined.clear();
        restart();
        allocations.assign(1, List.of(own(DesiredStatus.STOP)));
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        assertEquals(Set.of(), volumes.publishedNow());
    }

    @Test
    void oneWhoseFileCannotBeRead_keepsItsFile_andNobodyDown() throws Exception {
        runBoth();
        Path file = dir.resolve("state").resolve(ID + ".allocation");
        byte[] damaged = "damaged".getBytes(StandardCharsets.UTF_8);
        Files.write(file, damaged);
        notes.mostAtOnce = 1;
        restart();
        ToServer.AllocReport report = allocations.report(ID).orElseThrow();
        assertEquals(ClientStatus.RUNNING, report.status());
        assertTrue(report.description().contains("cannot be read"), report.description());
        assertTrue(report.description().contains(file.toString()), report.description());
        assertEquals(List.of(), allocations.strays());
        allocations.assign(1, List.of(own(DesiredStatus.RUN), other(TestTasks.task("o", 0, null))));
        assertArrayEquals(damaged, Files.readAllBytes(file));
        assertEquals(2, driver.starts());
        awaitOtherTask();
    }

    /** Its volume was said to be free, and its task was ended, under a mount that stayed. */
    @Test
    void oneWhoseMountsTheJournalHasLost_isLeftAsItIs_andNoVolumeOfItIsSaidToBeFree() throws Exception {
        runBoth();
        die();
        volumes.loseRecords();
        volumes.refuse("data");
        restart();
        allocations.assign(1, List.of(own(DesiredStatus.RUN), other(TestTasks.task("o", 0, null))));
        ToServer.AllocReport report = allocations.report(ID).orElseThrow();
        assertEquals(ClientStatus.RUNNING, report.status());
        assertEquals(VolumePhase.MOUNTING, volume(report, "data").phase());
        assertTrue(
                report.description()
                        .startsWith("quarantined: the journal of volumes does not know what is mounted for it at "
                                + "/published/data"),
                report.description());
        assertTrue(
                report.description().contains(dir.resolve("state") + "/" + ID + ".allocation"), report.description());
        assertEquals(2, driver.running().size());
        awaitOtherTask();
    }

    @Test
    void oneAtWhoseReadingAgentsEnded_isNotReadAgain() throws Exception {
        runBoth();
        notes.quarantined.add("reading allocation " + ID);
        notes.noted.clear();
        restart();
        assertFalse(notes.noted.contains("begin reading allocation " + ID));
        assertTrue(allocations.report(ID).orElseThrow().description().contains("ended twice in a row"));
    }

    /** Of a task that runs it must not be said that it never started: it could go on writing. */
    @Test
    void aTaskThatRuns_isEndedBeforeItsAllocationFailsForALostVolume() throws Exception {
        allocations.assign(1, List.of(own(DesiredStatus.RUN)));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        die();
        volumes.loseAll();
        volumes.refuse("data");
        restart();
        allocations.assign(1, List.of(own(DesiredStatus.RUN)));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertEquals(List.of(), driver.running());
        assertTrue(report.description().contains("the plugin says no"), report.description());
        assertEquals(
                List.of("Killing", "Terminated", "Killed"), events(report, "t").subList(3, 6));
    }

    /** The same where the directory cannot be made. */
    @Test
    void aTaskThatRuns_isEndedBeforeItsAllocationFailsForTheDisk() throws Exception {
        allocations.assign(1, List.of(own(DesiredStatus.RUN)));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        die();
        Path shared = dir.resolve("alloc").resolve(ID).resolve("alloc");
        Files.move(shared, shared.resolveSibling("aside"));
        Files.writeString(shared, "in the way");
        restart();
        awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertEquals(List.of(), driver.running());
        Eventually.holds(() -> volumes.publishedNow().isEmpty(), "its volumes are undone");
    }
}
