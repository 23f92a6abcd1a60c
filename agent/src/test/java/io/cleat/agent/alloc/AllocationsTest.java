package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.artifact.Artifacts;
import io.cleat.agent.plugins.PluginTasks;
import io.cleat.agent.report.News;
import io.cleat.agent.task.MemoryDriver;
import io.cleat.agent.task.TaskParts;
import io.cleat.agent.task.TestTasks;
import io.cleat.agent.task.VolumeBinds;
import io.cleat.agent.template.PlainFiles;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.MountLoss;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeEvent;
import io.cleat.model.Resources;
import io.cleat.model.Task;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskState;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeMount;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocationsTest {
    private static final String ID = "2849ded8-c520-74d0-6e49-2a300b1810ee";
    private static final VolumeModes WRITER =
            new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);

    @TempDir Path dir;

    private final MemoryDriver driver = new MemoryDriver();
    private final FakeVolumes volumes = new FakeVolumes();
    private final PlainBinds binds = new PlainBinds();
    private final LinkedBlockingQueue<String> news = new LinkedBlockingQueue<>();
    private final ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Path> cleared = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private Set<String> withoutLogs = Set.of();
    private Allocations allocations;

    @BeforeEach
    void start() throws DiskTrouble {
        allocations = agent();
    }

    /** What still runs would go on writing into the directory that goes with the test. */
    @AfterEach
    void noFaults() throws InterruptedException {
        for (Thread thread : List.copyOf(threads)) {
            thread.interrupt();
            assertTrue(thread.join(Duration.ofSeconds(10)), thread.getName());
        }
        assertEquals(List.of(), List.copyOf(faults));
    }

    private Allocations agent() throws DiskTrouble {
        Threads starts = Threads.virtual((where, fault) -> faults.add(fault));
        Threads kept =
                (name, body) -> {
                    Thread thread = starts.start(name, body);
                    threads.add(thread);
                    return thread;
                };
        TaskParts tasks =
                new TaskParts(
                        Map.of("fake", driver),
                        withoutLogs,
                        new NoPlugins(),
                        binds,
                        new PlainFiles(),
                        Artifacts.NONE,
                        TestTasks::node,
                        kept,
                        new SystemTime(),
                        bound -> 0,
                        Ids.random());
        return new Allocations(
                dir.resolve("state"),
                new AllocationParts(
                        dir.resolve("alloc"), cleared::add, volumes, tasks, new TestNews()));
    }

    /** The agent dies: its threads end where they are, and a new one takes over. */
    private void restart() throws Exception {
        restart(() -> {});
    }

    /** The machine boots: nothing runs, and nothing is mounted. */
    private void boot() throws Exception {
        restart(
                () -> {
                    driver.loseAll();
                    volumes.loseAll();
                });
    }

    private void restart(Runnable meanwhile) throws Exception {
        for (Thread thread : List.copyOf(threads)) {
            thread.interrupt();
            thread.join();
        }
        threads.clear();
        meanwhile.run();
        allocations = agent();
        allocations.restore();
    }

    private ToNode.Assignment assignment(DesiredStatus desired, boolean granted, Task... tasks) {
        Map<String, ToNode.AssignedVolume> assigned = new HashMap<>();
        for (String alias : Set.of("data", "more")) {
            assigned.put(
                    alias,
                    new ToNode.AssignedVolume(
                            new VolumeId("default", alias),
                            "p",
                            "ext-" + alias,
                            false,
                            WRITER,
                            MountOptions.NONE,
                            Map.of(),
                            granted ? new ToNode.Grant(7, Secrets.none(), Secrets.none(), 0) : null,
                            null));
        }
        return assignment(desired, assigned, TestTasks.job(JobType.SERVICE, Map.of(), tasks));
    }

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
                                new ToNode.Grant(7, Secrets.none(), Secrets.none(), expandTo),
                                null)),
                TestTasks.job(JobType.SERVICE, Map.of(), tasks));
    }

    private static ToNode.Assignment assignment(
            DesiredStatus desired, Map<String, ToNode.AssignedVolume> assigned, JobSpec job) {
        return new ToNode.Assignment(
                ID, "web.g[0]", 0, "eval", job, 0, "g", desired, assigned, false, null);
    }

    private static Task task(int attempts) {
        return TestTasks.task(
                "t", attempts, null, new VolumeMount("data", "/data", false, "private", ""));
    }

    private ToServer.AllocReport awaitReport(Predicate<ToServer.AllocReport> wanted)
            throws InterruptedException {
        for (; ; ) {
            ToServer.AllocReport report = allocations.report(ID).orElse(null);
            if (report != null && wanted.test(report)) {
                return report;
            }
            assertTrue(news.poll(10, TimeUnit.SECONDS) != null, "no news; last report: " + report);
        }
    }

    private void awaitGone() throws InterruptedException {
        while (allocations.report(ID).isPresent()) {
            news.poll(10, TimeUnit.MILLISECONDS);
        }
    }

    @Test
    void whatIsAssignedAtOnceIsWrittenDownTogether() throws Exception {
        JobSpec job = TestTasks.job(JobType.SERVICE, Map.of(), TestTasks.task("t", 0, null));
        List<ToNode.Assignment> many =
                IntStream.range(0, 20)
                        .mapToObj(
                                i ->
                                        new ToNode.Assignment(
                                                "many-" + i,
                                                "web.g[" + i + "]",
                                                i,
                                                "eval",
                                                job,
                                                0,
                                                "g",
                                                DesiredStatus.RUN,
                                                Map.of(),
                                                false,
                                                null))
                        .toList();
        allocations.assign(1, many);
        assertEquals(20, allocations.known().size());
        restart();
        assertEquals(20, allocations.known().size());
    }

    private static ToServer.VolumeReport volume(ToServer.AllocReport report, String alias) {
        return Objects.requireNonNull(report.volumes().get(alias), alias);
    }

    private static TaskState task(ToServer.AllocReport report, String task) {
        return Objects.requireNonNull(report.tasks().get(task), task);
    }

    private static List<String> events(ToServer.AllocReport report) {
        return report.tasks().values().iterator().next().events().stream()
                .map(TaskEvent::type)
                .toList();
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
        assertEquals(List.of("Received", "Task Setup", "Started"), events(report));
        assertEquals(
                dir.resolve("alloc").resolve(ID).resolve("t").resolve("data").toString(),
                driver.awaitStart(1).env().get("CLEAT_VOLUME_data"));
    }

    @Test
    void aVolumeIsExpandedAfterItIsPublishedAndWheneverItsGrantGrows() throws Exception {
        allocations.assign(1, List.of(grown(2 << 20, task(0))));
        ToServer.AllocReport report = awaitReport(r -> volume(r, "data").expandedTo() == 2 << 20);
        assertEquals(VolumePhase.PUBLISHED, volume(report, "data").phase());
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
        ToServer.AllocReport report =
                awaitReport(
                        r ->
                                r.status() == ClientStatus.RUNNING
                                        && volume(r, "data").waitingFor() != null);
        assertEquals("expand", Objects.requireNonNull(volume(report, "data").waitingFor()).step());
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
    void aStopEndsTheTaskAndThenUndoesTheVolumes() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        allocations.assign(2, List.of(assignment(DesiredStatus.STOP, true, task(0))));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        assertEquals(VolumePhase.UNPUBLISHED, volume(report, "data").phase());
        assertEquals(
                List.of("Received", "Task Setup", "Started", "Killing", "Terminated", "Killed"),
                events(report));
        assertEquals(Set.of(), volumes.publishedNow());
        assertEquals(List.of(), driver.running());
        allocations.assign(3, List.of());
        awaitGone();
        assertEquals(List.of(dir.resolve("alloc").resolve(ID)), List.copyOf(cleared));
    }

    @Test
    void aVolumeThatIsStillBoundInATasksDirectoryIsNotUnpublished() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        binds.isStuck = true;
        allocations.assign(2, List.of(assignment(DesiredStatus.STOP, true, task(0))));
        ToServer.VolumeReport waits =
                volume(awaitReport(r -> volume(r, "data").waitingFor() != null), "data");
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
        assertEquals(Set.of(), volumes.publishedNow());
        assertEquals(VolumePhase.UNPUBLISHED, volume(report, "more").phase());
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
    void aTaskThatFailsIsStartedAgainAndThenFailsTheAllocation() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(1))));
        driver.end(driver.awaitStart(1).id(), new ExitResult(3, 0, false));
        driver.end(driver.awaitStart(2).id(), new ExitResult(0, 0, false));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertEquals(1, task(report, "t").restarts());
        assertEquals("Not Restarting", events(report).getLast());
    }

    @Test
    void aTaskThatCannotStartSaysWhy() throws Exception {
        driver.refuseStarts(1);
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertEquals(
                List.of("Received", "Task Setup", "Driver Failure", "Not Restarting"),
                events(report));
    }

    @Test
    void aFailedTaskEndsItsSiblings() throws Exception {
        Task other = TestTasks.task("u", 0, null);
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0), other)));
        driver.awaitStart(2);
        String first =
                driver.running().stream()
                        .filter(id -> id.contains("/t/"))
                        .findFirst()
                        .orElseThrow();
        driver.end(first, new ExitResult(1, 0, false));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertTrue(
                task(report, "u").events().stream()
                        .anyMatch(e -> e.type().equals("Sibling Task Failed")),
                task(report, "u").toString());
        assertFalse(task(report, "u").failed());
    }

    @Test
    void aMountLostWithItsPlugin_restartsTheTasksOnceItIsMountedAnew() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        allocations.mountLost(ID, "data", MountLoss.RESTART_TASKS);
        driver.awaitStart(2);
        ToServer.AllocReport report =
                awaitReport(
                        r -> task(r, "t").restarts() == 1 && events(r).getLast().equals("Started"));
        assertEquals(List.of("data"), volumes.remounted());
        assertEquals(
                List.of("Killing", "Terminated"),
                events(report).stream().filter(e -> e.matches("Killing|Terminated")).toList());
        assertEquals(ClientStatus.RUNNING, report.status());
        assertEquals(1, driver.running().size());
    }

    @Test
    void aMountLostWithItsPlugin_isMountedAnewUnderItsTasks() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        binds.die();
        allocations.mountLost(ID, "data", MountLoss.REMOUNT);
        ToServer.AllocReport report =
                awaitReport(r -> events(r).getLast().equals("Volume Remounted"));
        assertEquals(1, driver.starts());
        assertEquals(0, task(report, "t").restarts());
        assertEquals(VolumePhase.PUBLISHED, volume(report, "data").phase());
        allocations.assign(2, List.of(assignment(DesiredStatus.STOP, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
        assertEquals(Set.of(), volumes.publishedNow());
    }

    @Test
    void aVolumeMountedAnewByAnAgentThatDied_isShownToItsTasksByTheNextOne() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        binds.die();
        restart();
        ToServer.AllocReport report =
                awaitReport(r -> events(r).getLast().equals("Volume Remounted"));
        assertEquals(1, driver.starts());
        assertEquals(0, task(report, "t").restarts());
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
        assertEquals(List.of("Received", "Task Setup", "Started"), events(report));
        assertEquals(VolumePhase.PUBLISHED, volume(report, "data").phase());
        assertEquals(1, driver.starts());
        driver.end(driver.awaitStart(1).id(), new ExitResult(7, 0, false, 1200));
        report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertTrue(events(report).contains("Output Lost"), events(report).toString());
        assertEquals(
                "Exit Code: 7",
                task(report, "t").events().stream()
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
        for (Thread thread : List.copyOf(threads)) {
            thread.interrupt();
            thread.join();
        }
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
    void afterABoot_tasksAreStartedAgainOnceTheirVolumesAreGrantedAnew() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(1))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        boot();
        assertEquals(1, driver.starts());
        assertEquals(Set.of(), volumes.publishedNow());
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(1))));
        driver.awaitStart(2);
        ToServer.AllocReport report =
                awaitReport(r -> events(r).getLast().equals("Started") && r.tasks().size() == 1);
        assertEquals(ClientStatus.RUNNING, report.status());
        assertEquals(VolumePhase.PUBLISHED, volume(report, "data").phase());
        assertTrue(
                task(report, "t").events().stream()
                        .anyMatch(e -> e.message().startsWith("Exit code unknown: ")),
                task(report, "t").toString());
    }

    @Test
    void afterABoot_whatIsToEndEndsWithoutBeingStarted() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(1))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        boot();
        allocations.assign(1, List.of(assignment(DesiredStatus.STOP, true, task(1))));
        awaitReport(
                r ->
                        r.volumes().values().stream()
                                .allMatch(v -> v.phase() == VolumePhase.UNPUBLISHED));
        assertEquals(1, driver.starts());
    }

    @Test
    void whatRunsForAnUnknownAllocationIsNamed() throws Exception {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertEquals(List.of(), allocations.strays());
        driver.start(
                new TaskConfig(
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
        assertEquals(1, allocations.strays().size());
        assertTrue(allocations.strays().getFirst().contains("allocation lost"));
    }

    @Test
    void anOlderListIsIgnored() throws Exception {
        allocations.assign(5, List.of(assignment(DesiredStatus.RUN, true, task(0))));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        allocations.assign(4, List.of());
        assertTrue(allocations.report(ID).isPresent());
        assertEquals(1, driver.running().size());
    }

    private static final class NoPlugins implements PluginTasks {
        @Override
        public Prepared beforeStart(PluginTask task) {
            throw new AssertionError("no task of these tests is a plugin: " + task);
        }

        @Override
        public void afterStart(PluginTask task, Listener listener) {
            throw new AssertionError("no task of these tests is a plugin: " + task);
        }

        @Override
        public void afterEnd(PluginTask task) {
            throw new AssertionError("no task of these tests is a plugin: " + task);
        }
    }

    private static final class PlainBinds implements VolumeBinds {
        private final Set<Path> bound = ConcurrentHashMap.newKeySet();
        private volatile boolean isStuck;

        /** What tasks see is dead; what is published is not. */
        void die() {
            bound.clear();
        }

        @Override
        public Bound bind(Path published, Path taskDir, String destination, boolean readOnly) {
            Path path = taskDir.resolve(destination.substring(1));
            return new Bound(path, bound.add(path));
        }

        @Override
        public void keepInMemory(Path directory) {
            throw new AssertionError("no task of these tests is isolated: " + directory);
        }

        @Override
        public void unmountInside(Path published) {}

        @Override
        public void unbindAll(Path directory) throws KernelTrouble {
            if (isStuck) {
                throw new KernelTrouble("unmount hangs", Effect.UNKNOWN, Retry.AFTER_OBSERVING);
            }
        }
    }

    private final class TestNews implements News {
        @Override
        public void allocationChanged(String allocId) {
            news.add(allocId);
        }

        @Override
        public void factsChanged() {}

        @Override
        public void nodeEvent(NodeEvent event) {}

        @Override
        public void volumeEvent(VolumeId volume, VolumeEvent event) {}

        @Override
        public void orderDone(ToServer.OrderDone done) {}
    }
}
