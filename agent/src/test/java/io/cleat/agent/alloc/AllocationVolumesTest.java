package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.StartPoint;
import io.cleat.agent.task.TestTasks;
import io.cleat.base.Secrets;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobType;
import io.cleat.model.MountLoss;
import io.cleat.model.MountOptions;
import io.cleat.model.Task;
import io.cleat.model.TaskState;
import io.cleat.model.VolumeId;
import io.cleat.testkit.Eventually;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The volumes of an allocation: published before its tasks, undone after them, lost and grown between. */
class AllocationVolumesTest extends AgentFixture {
    /** Only one volume, granted at a size of its own. */
    private static ToNode.Assignment grown(long expandTo, Task... tasks) {
        return assignment(
                DesiredStatus.RUN,
                Map.of(
                        "data",
                        new ToNode.AssignedVolume(
                                new VolumeId("default", "data"),
                                "p",
                                "ext-data",
                                false,
                                WRITER,
                                MountOptions.NONE,
                                Map.of(),
                                new ToNode.Grant(7, Secrets.none(), Secrets.none(), expandTo, false),
                                null)),
                TestTasks.job(JobType.SERVICE, Map.of(), tasks));
    }

    private static ToNode.Assignment ungranted(BlockedBy reason, Task... tasks) {
        return assignment(
                DesiredStatus.RUN,
                Map.of(
                        "data",
                        new ToNode.AssignedVolume(
                                new VolumeId("default", "data"),
                                "p",
                                "ext-data",
                                false,
                                WRITER,
                                MountOptions.NONE,
                                Map.of(),
                                null,
                                reason)),
                TestTasks.job(JobType.SERVICE, Map.of(), tasks));
    }

    @Test
    void anAllocationRunsOnceAllItsVolumesArePublished() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, false, task(0))));
        awaitReport(r -> volume(r, "data").phase() == VolumePhase.NONE);
        assertEquals(0, driver.starts());
        allocations.assign(2, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertEquals("Tasks are running", report.description());
        assertEquals(VolumePhase.PUBLISHED, volume(report, "more").phase());
        assertEquals(7, volume(report, "more").epoch());
        assertEquals(List.of("Received", "Task Setup", "Started"), events(report, "t"));
        assertEquals(
                dir.resolve("alloc").resolve(ID).resolve("t").resolve("data").toString(),
                driver.awaitStart(1).env().get("CLEAT_VOLUME_data"));
    }

    private static ToNode.Assignment both(boolean more) {
        return assignment(
                DesiredStatus.RUN,
                Map.of("data", volume("data", true), "more", volume("more", more)),
                TestTasks.job(JobType.SERVICE, Map.of(), task(0)));
    }

    /** The task began with the directory below the volume, and what it wrote there was lost. */
    @Test
    void aVolumeThatIsLostWhileTheOthersAreWaitedFor_isPublishedAgainBeforeTheTasksStart() throws Exception {
        allocations.assign(1, List.of(both(false)));
        awaitReport(r -> volume(r, "data").phase() == VolumePhase.PUBLISHED);
        volumes.lose("data");
        allocations.assign(2, List.of(both(true)));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertEquals(Set.of(ID + "/data", ID + "/more"), volumes.publishedNow());
    }

    @Test
    void aTaskWhoseVolumeIsGoneAtTheLastMoment_isNotStarted() throws Exception {
        binds.isGone = true;
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertEquals(0, driver.starts());
        assertTrue(state(report, "t").events().toString().contains("is not mounted any more"), report::toString);
    }

    @Test
    void aVolumeIsExpandedAfterItIsPublishedAndWheneverItsGrantGrows() throws Exception {
        allocations.assign(1, List.of(grown(2 << 20, task(0))));
        awaitReport(r ->
                volume(r, "data").expandedTo() == 2 << 20 && volume(r, "data").phase() == VolumePhase.PUBLISHED);
        allocations.assign(2, List.of(grown(2 << 20, task(0))));
        allocations.assign(3, List.of(grown(3 << 20, task(0))));
        awaitReport(r -> volume(r, "data").expandedTo() == 3 << 20);
        assertEquals(List.of("data to " + (2 << 20), "data to " + (3 << 20)), volumes.expanded());
    }

    @Test
    void anExpansionThatIsRefusedTellsWhyAndLeavesTheTaskAlone() throws Exception {
        CountDownLatch room = new CountDownLatch(1);
        volumes.refuseExpansions(room);
        allocations.assign(1, List.of(grown(2 << 20, task(0))));
        ToServer.AllocReport report = awaitReport(
                r -> r.status() == ClientStatus.RUNNING && volume(r, "data").waitingFor() != null);
        assertEquals(
                "expand",
                Objects.requireNonNull(volume(report, "data").waitingFor()).step());
        assertEquals(0, volume(report, "data").expandedTo());
        room.countDown();
        report = awaitReport(r -> volume(r, "data").expandedTo() == 2 << 20);
        assertEquals(null, volume(report, "data").waitingFor());
        assertEquals(1, driver.starts());
    }

    @Test
    void aStopEndsAnExpansionThatNeverEnds() throws Exception {
        volumes.refuseExpansions(new CountDownLatch(1));
        allocations.assign(1, List.of(grown(2 << 20, task(0))));
        awaitReport(r -> volume(r, "data").waitingFor() != null);
        allocations.assign(2, List.of(assignment(DesiredStatus.STOP, true, task(0))));
        awaitReport(r -> volume(r, "data").phase() == VolumePhase.UNPUBLISHED);
        assertEquals(List.of(), volumes.expanded());
    }

    @Test
    void aVolumeThatIsStillBoundInATasksDirectoryIsNotUnpublished() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        binds.isStuck = true;
        allocations.assign(2, List.of(assignment(DesiredStatus.STOP, true, task(0))));
        ToServer.VolumeReport waits = volume(awaitReport(r -> volume(r, "data").waitingFor() != null), "data");
        assertEquals(VolumePhase.PUBLISHED, waits.phase());
        assertEquals("unmount hangs", Objects.requireNonNull(waits.waitingFor()).holder());
        assertEquals(Set.of(ID + "/data", ID + "/more"), volumes.publishedNow());
        binds.isStuck = false;
        awaitReport(r -> volume(r, "data").phase() == VolumePhase.UNPUBLISHED);
    }

    @Test
    void aStopThatIsSaidAgainDoesNotInterruptTheUnmounting() throws Exception {
        CountDownLatch unmounts = new CountDownLatch(1);
        volumes.holdUnmounts(unmounts);
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        allocations.assign(2, List.of(assignment(DesiredStatus.STOP, true, task(0))));
        awaitReport(r -> volume(r, "data").phase() == VolumePhase.UNMOUNTING);
        allocations.assign(3, List.of(assignment(DesiredStatus.STOP, true, task(0))));
        allocations.assign(4, List.of());
        unmounts.countDown();
        awaitGone();
        assertEquals(Set.of(), volumes.publishedNow());
    }

    @Test
    void aRefusedVolumeFailsTheAllocationWithThePluginsWords() throws Exception {
        volumes.refuse("data");
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertTrue(report.description().contains("volume \"data\""), report.description());
        assertTrue(report.description().contains("the plugin says no"), report.description());
        assertEquals(0, driver.starts());
        awaitReport(r -> volume(r, "more").phase() == VolumePhase.UNPUBLISHED);
        assertEquals(Set.of(), volumes.publishedNow());
    }

    /** It was pending for as long as its volume could not be undone, and nothing replaced it. */
    @Test
    void anAllocationWhoseVolumeCannotBeMounted_hasFailedBeforeItsVolumesAreUndone() throws Exception {
        CountDownLatch unmounts = new CountDownLatch(1);
        volumes.holdUnmounts(unmounts);
        volumes.refuse("data");
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        ToServer.AllocReport report = awaitReport(
                r -> r.status() == ClientStatus.FAILED && volume(r, "data").phase() == VolumePhase.UNMOUNTING);
        assertTrue(report.description().contains("the plugin says no"), report.description());
        unmounts.countDown();
        report = awaitReport(r -> volume(r, "data").phase() == VolumePhase.UNPUBLISHED);
        assertEquals(ClientStatus.FAILED, report.status());
        assertEquals(0, driver.starts());
    }

    /** Its tasks were held for ever, or went on over a dead mount. */
    @Test
    void aVolumeThatCannotBeMountedAnew_failsTheAllocation() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        volumes.refuse("data");
        allocations.mountLost(ID, "data", MountLoss.RESTART_TASKS);
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertTrue(report.description().contains("mounted anew"), report.description());
        assertTrue(report.description().contains("the plugin says no"), report.description());
        awaitReport(r -> volume(r, "data").phase() == VolumePhase.UNPUBLISHED);
        assertEquals(0, driver.running().size());
    }

    @Test
    void aStopWhileAVolumeHangsUndoesItAll() throws Exception {
        volumes.hang("data");
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        volumes.awaitHang();
        allocations.assign(2, List.of(assignment(DesiredStatus.STOP, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        assertEquals(Set.of(), volumes.publishedNow());
        assertEquals(0, driver.starts());
    }

    @Test
    void aMountLostWithItsPlugin_restartsTheTasksOnceItIsMountedAnew() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        allocations.mountLost(ID, "data", MountLoss.RESTART_TASKS);
        driver.awaitStart(2);
        ToServer.AllocReport report = awaitReport(
                r -> state(r, "t").restarts() == 1 && events(r, "t").getLast().equals("Started"));
        assertEquals(List.of("data"), volumes.remounted());
        assertEquals(
                List.of("Killing", "Terminated"),
                events(report, "t").stream()
                        .filter(e -> e.matches("Killing|Terminated"))
                        .toList());
        assertEquals(ClientStatus.RUNNING, report.status());
        assertEquals(1, driver.running().size());
    }

    /** It said that it restarts in 0s, and then nothing for as long as the mounting took. */
    @Test
    void aTaskThatIsHeldUntilItsVolumeIsMountedAnew_isPendingAndSaysSo() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        volumes.hang("data");
        allocations.mountLost(ID, "data", MountLoss.RESTART_TASKS);
        ToServer.AllocReport report = awaitReport(r -> state(r, "t").phase() == TaskState.Phase.PENDING
                && events(r, "t").getLast().equals("Waiting"));
        assertEquals(
                "Task waits to start: its volume \"data\" is mounted anew",
                state(report, "t").events().getLast().message());
        assertEquals(1, driver.starts());
    }

    /** JuiceFS: what a task still had mounted kept its driver from taking away the dead mount. */
    @Test
    void aTaskThatIsHeldUntilItsVolumeIsMountedAnew_hasTheOldOneNoMore() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertEquals(1, binds.boundNow().size());
        volumes.hang("data");
        allocations.mountLost(ID, "data", MountLoss.RESTART_TASKS);
        volumes.awaitHang();
        assertEquals(Set.of(), binds.boundNow());
    }

    /** It would write into the directory below a volume that is not there. */
    @Test
    void aTaskThatIsAboutToStartWhenItsVolumeIsLost_isNotStartedBeforeItIsMountedAnew() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        startPoints = point -> {
            if (point == StartPoint.AFTER_SETUP) {
                reached.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException end) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        restart();
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        assertTrue(reached.await(20, TimeUnit.SECONDS));
        volumes.hang("data");
        assertTrue(allocations.mountLost(ID, "data", MountLoss.RESTART_TASKS));
        volumes.awaitHang();
        goOn.countDown();
        awaitReport(r -> events(r, "t").getLast().equals("Waiting"));
        assertEquals(0, driver.starts());
        assertEquals(Set.of(), binds.boundNow());
    }

    @Test
    void aMountLostWithItsPlugin_isMountedAnewUnderItsTasks() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        binds.die();
        allocations.mountLost(ID, "data", MountLoss.REMOUNT);
        ToServer.AllocReport report = awaitReport(r -> events(r, "t").getLast().equals("Volume Remounted"));
        assertEquals(1, driver.starts());
        assertEquals(0, state(report, "t").restarts());
        assertEquals(VolumePhase.PUBLISHED, volume(report, "data").phase());
        allocations.assign(2, List.of(assignment(DesiredStatus.STOP, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        assertEquals(Set.of(), volumes.publishedNow());
    }

    /** A plugin had mended its mounts, and the tasks kept the dead ones without a word. */
    @Test
    void aTaskThatSeesAnEarlierMount_isFoundUntilItIsShownTheNewOne() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertFalse(allocations.seesOther(ID, "data"));
        assertFalse(allocations.seesOther("another", "data"));
        binds.die();
        assertTrue(allocations.seesOther(ID, "data"));
        assertTrue(allocations.mountLost(ID, "data", MountLoss.REMOUNT));
        awaitReport(r -> events(r, "t").getLast().equals("Volume Remounted"));
        assertFalse(allocations.seesOther(ID, "data"));
        assertFalse(allocations.mountLost("another", "data", MountLoss.REMOUNT));
    }

    @Test
    void aVolumeThatIsMountedAnewAlready_isNotMountedAnewTwiceAtOnce() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        volumes.hang("data");
        binds.die();
        assertTrue(allocations.mountLost(ID, "data", MountLoss.REMOUNT));
        volumes.awaitHang();
        assertFalse(allocations.mountLost(ID, "data", MountLoss.RESTART_TASKS));
        assertFalse(allocations.seesOther(ID, "data"), "it is shown once it is mounted");
        assertEquals(List.of("data"), volumes.remounted());
    }

    /** It waited without a word, for as long as the server granted nothing. */
    @Test
    void aMountLostUnderTheNextAgent_saysThatItWaitsForItsGrant() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        restart();
        allocations.mountLost(ID, "data", MountLoss.REMOUNT);
        ToServer.VolumeReport waits = volume(awaitReport(r -> volume(r, "data").waitingFor() != null), "data");
        assertEquals(VolumePhase.PUBLISHED, waits.phase());
        assertEquals(7, waits.epoch());
        assertTrue(Objects.requireNonNull(waits.waitingFor()).holder().contains("not granted"), waits.toString());
        BlockedBy reason = new BlockedBy("attach", "plugin p, which no node runs", Instant.EPOCH, null, "");
        allocations.assign(1, List.of(ungranted(reason, task(0))));
        awaitReport(r -> reason.equals(volume(r, "data").waitingFor()));
        assertEquals(List.of(), volumes.remounted());
        allocations.assign(2, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r ->
                volume(r, "data").waitingFor() == null && volumes.remounted().equals(List.of("data")));
    }

    @Test
    void aVolumeMountedAnewByAnAgentThatDied_isShownToItsTasksByTheNextOne() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        binds.die();
        restart();
        ToServer.AllocReport report = awaitReport(r -> events(r, "t").getLast().equals("Volume Remounted"));
        assertEquals(1, driver.starts());
        assertEquals(0, state(report, "t").restarts());
    }

    /** At each start of an agent it was told that its volume is lost, which it was not. */
    @Test
    void aTaskWithFilesOfItsOwn_isToldThatItsVolumeIsLostOnlyIfItIs() throws Exception {
        binds.isolates = true;
        driver.isolate(false);
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        for (int i = 1; i <= 3; i++) {
            restart();
            allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
            awaitReport(r -> r.status() == ClientStatus.RUNNING);
            int looks = i;
            // What is reported first is what the last agent has written down.
            Eventually.holds(() -> binds.looks.get() == looks, "the task is taken over");
        }
        binds.isLost = true;
        assertTrue(allocations.mountLost(ID, "data", MountLoss.REMOUNT));
        ToServer.AllocReport report = awaitReport(r -> events(r, "t").getLast().equals("Volume Lost"));
        assertEquals(List.of("Received", "Task Setup", "Started", "Volume Lost"), events(report, "t"));
    }

    @Test
    void afterABoot_tasksAreStartedAgainOnceTheirVolumesAreGrantedAnew() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(1))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        boot();
        assertEquals(1, driver.starts());
        assertEquals(Set.of(), volumes.publishedNow());
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(1))));
        driver.awaitStart(2);
        ToServer.AllocReport report = awaitReport(
                r -> events(r, "t").getLast().equals("Started") && r.tasks().size() == 1);
        assertEquals(ClientStatus.RUNNING, report.status());
        assertEquals(VolumePhase.PUBLISHED, volume(report, "data").phase());
        assertTrue(
                state(report, "t").events().stream().anyMatch(e -> e.message().startsWith("Exit code unknown: ")),
                state(report, "t").toString());
    }

    @Test
    void afterABoot_whatIsToEndEndsWithoutBeingStarted() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(1))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        boot();
        allocations.assign(1, List.of(assignment(DesiredStatus.STOP, true, task(1))));
        awaitReport(r -> r.volumes().values().stream().allMatch(v -> v.phase() == VolumePhase.UNPUBLISHED));
        assertEquals(1, driver.starts());
    }

    /** Found by the simulation: it said nothing for as long as the other plugin gave no answer. */
    @Test
    void aRefusedVolume_saysSo_whileACallForAnotherIsWaitedFor() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        volumes.awaitAnswer("more", answer);
        volumes.refuse("data");
        allocations.assign(
                1,
                List.of(assignment(
                        DesiredStatus.RUN,
                        Map.of("data", volume("data", false), "more", volume("more", true)),
                        TestTasks.job(JobType.SERVICE, Map.of(), task(0)))));
        awaitReport(r -> volume(r, "more").phase() == VolumePhase.MOUNTING);
        allocations.assign(2, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        ToServer.AllocReport report = awaitReport(r -> {
            BlockedBy waits = volume(r, "data").waitingFor();
            return waits != null && waits.holder().contains("the plugin says no");
        });
        assertEquals(ClientStatus.PENDING, report.status());
        answer.countDown();
        awaitReport(r -> r.status() == ClientStatus.FAILED);
    }
}
