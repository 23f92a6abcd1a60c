package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.artifact.Artifacts;
import io.cleat.agent.network.AllocationNetworks;
import io.cleat.agent.plugins.PluginTasks;
import io.cleat.agent.report.News;
import io.cleat.agent.task.MemoryDriver;
import io.cleat.agent.task.StartPoint;
import io.cleat.agent.task.TaskParts;
import io.cleat.agent.task.TestTasks;
import io.cleat.agent.task.VolumeBinds;
import io.cleat.agent.template.PlainFiles;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.InWork;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.csi.RunEnds;
import io.cleat.driver.shim.IdRange;
import io.cleat.kernel.FileSystems;
import io.cleat.kernel.FileWrites.Owner;
import io.cleat.kernel.IdSwap;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.Paths;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.DesiredStatus;
import io.cleat.model.HostVolume;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeEvent;
import io.cleat.model.Service;
import io.cleat.model.Task;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskState;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeMount;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An agent's allocations over tasks and volumes in memory, and its deaths. */
abstract class AgentFixture {
    static final String ID = "2849ded8-c520-74d0-6e49-2a300b1810ee";

    static final VolumeModes WRITER = new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);

    @TempDir
    Path dir;

    final MemoryDriver driver = new MemoryDriver();
    final FakeVolumes volumes = new FakeVolumes();
    final PlainBinds binds = new PlainBinds();
    final LinkedBlockingQueue<String> news = new LinkedBlockingQueue<>();
    final ConcurrentLinkedQueue<Path> cleared = new ConcurrentLinkedQueue<>();
    final Notes notes = new Notes();
    Allocations allocations;

    /** What makes tasks into plugins. */
    PluginTasks plugins = new NoPlugins();

    /** How large allocations' directories are found to be. */
    Optional<AllocationParts.Measuring> measuring = Optional.empty();

    /** How much of what ended allocations have left is kept. */
    KeptFiles keptFiles = KeptFiles.USUAL;

    EndedFiles ended = EndedFiles.keepingAll();

    /** Of the disk that they are on. */
    volatile FileSystems.Usage usage = new FileSystems.Usage(0, 0, 0, 0, 0);

    /** The ids of which each agent gives its allocations one each. */
    Optional<IdRange> users = Optional.empty();

    /** Which of them are somebody else's. */
    volatile LongPredicate others = id -> false;

    /** What the node has of its own, by name. */
    volatile Map<String, HostVolume> hostVolumes = HostVolume.NONE;

    /** What makes networks of allocations. */
    Optional<AllocationNetworks> networks = Optional.empty();

    /** Told of each point of a start. */
    StartPoint.Listener startPoints = StartPoint.Listener.NONE;

    /** The drivers of whose tasks the agent keeps no output. */
    Set<String> withoutLogs = Set.of();

    private final ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private final CopyOnWriteArrayList<Thread> threads = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws DiskTrouble {
        allocations = agent();
    }

    /** What still runs would go on writing into the directory that goes with the test. */
    @AfterEach
    void noFaults() throws InterruptedException {
        die();
        assertEquals(List.of(), List.copyOf(faults));
    }

    /** What was met, which the test expects; it is not known any more after. */
    final List<Throwable> expectedFaults() {
        List<Throwable> all = List.copyOf(faults);
        faults.clear();
        return all;
    }

    private Allocations agent() throws DiskTrouble {
        ended = new EndedFiles(keptFiles, () -> usage);
        return new Allocations(dir.resolve("state"), parts());
    }

    /** Those of one agent. */
    final AllocationParts parts() {
        Threads starts = Threads.virtual((where, fault) -> faults.add(fault));
        Threads kept = new Threads() {
            @Override
            public Thread start(Kind kind, String name, Body body) {
                Thread thread = starts.start(kind, name, () -> {
                    // One that does anything can be ended from then on.
                    threads.addIfAbsent(Thread.currentThread());
                    body.run();
                });
                threads.addIfAbsent(thread);
                return thread;
            }

            @Override
            public FaultHandler faults() {
                return starts.faults();
            }
        };
        TaskParts tasks = new TaskParts(
                        Map.of("fake", driver),
                        withoutLogs,
                        plugins,
                        binds,
                        new PlainFiles(),
                        Artifacts.NONE,
                        () -> TestTasks.node().withHostVolumes(hostVolumes),
                        kept,
                        new SystemTime(),
                        bound -> 0,
                        Ids.random())
                .withStarts(startPoints);
        return new AllocationParts(
                dir.resolve("alloc"),
                cleared::add,
                measuring,
                volumes,
                tasks,
                new TestNews(),
                notes,
                users.map(range -> OwnUsers.of(range, () -> others, "")).orElseGet(OwnUsers::none),
                ended,
                networks);
    }

    /** Its threads end where they are. */
    final void die() throws InterruptedException {
        // One that is about to end may start another first.
        for (int next = 0; next < threads.size(); next++) {
            Thread thread = threads.get(next);
            thread.interrupt();
            assertTrue(thread.join(Duration.ofSeconds(10)), thread.getName());
        }
        threads.clear();
    }

    /** Waits for a thread to be there, and to have ended. */
    final void awaitThread(String name) throws InterruptedException {
        Thread thread = null;
        while (thread == null) {
            thread = threads.stream()
                    .filter(t -> t.getName().equals(name))
                    .findAny()
                    .orElse(null);
            Thread.onSpinWait();
        }
        assertTrue(thread.join(Duration.ofSeconds(10)), name);
    }

    /** What is written down of the allocation is lost while no agent runs. */
    final void loseFile() throws Exception {
        loseFile(ID);
    }

    /** As {@link #loseFile()}, of another allocation. */
    final void loseFile(String allocId) throws Exception {
        restart(() -> assertTrue(
                dir.resolve("state/" + allocId + ".allocation").toFile().delete()));
    }

    /** The agent dies, and a new one takes over. */
    final void restart() throws Exception {
        restart(() -> {});
    }

    /** The machine boots: nothing runs, and nothing is mounted. */
    final void boot() throws Exception {
        restart(() -> {
            driver.reboot();
            volumes.loseAll();
        });
    }

    private void restart(Runnable meanwhile) throws Exception {
        die();
        meanwhile.run();
        allocations = agent();
        allocations.restore();
    }

    final ToServer.AllocReport awaitReport(Predicate<ToServer.AllocReport> wanted) throws InterruptedException {
        for (; ; ) {
            ToServer.AllocReport report = allocations.report(ID).orElse(null);
            if (report != null && wanted.test(report)) {
                return report;
            }
            assertTrue(news.poll(10, TimeUnit.SECONDS) != null, "no news; last report: " + report);
        }
    }

    final void awaitGone() throws InterruptedException {
        while (allocations.report(ID).isPresent()) {
            news.poll(10, TimeUnit.MILLISECONDS);
        }
    }

    final void awaitCleared(Path last) throws InterruptedException {
        while (!cleared.contains(last)) {
            news.poll(10, TimeUnit.MILLISECONDS);
        }
    }

    static ToServer.VolumeReport volume(ToServer.AllocReport report, String alias) {
        return Objects.requireNonNull(report.volumes().get(alias), alias);
    }

    final ToNode.Assignment assignment(DesiredStatus desired, boolean granted, Task... tasks) {
        Map<String, ToNode.AssignedVolume> assigned = new HashMap<>();
        for (String alias : Set.of("data", "more")) {
            assigned.put(alias, volume(alias, granted));
        }
        return assignment(desired, assigned, TestTasks.job(JobType.SERVICE, Map.of(), tasks));
    }

    static ToNode.AssignedVolume volume(String alias, boolean granted) {
        return new ToNode.AssignedVolume(
                new VolumeId("default", alias),
                "p",
                "ext-" + alias,
                false,
                WRITER,
                MountOptions.NONE,
                Map.of(),
                granted ? new ToNode.Grant(7, Secrets.none(), Secrets.none(), 0, false) : null,
                null);
    }

    static Task task(int attempts) {
        return TestTasks.task("t", attempts, null, new VolumeMount("data", "/data", false, "private", ""));
    }

    static ToNode.Assignment assignment(
            DesiredStatus desired, Map<String, ToNode.AssignedVolume> assigned, JobSpec job) {
        return new ToNode.Assignment(ID, "web.g[0]", 0, "eval", job, 0, "g", desired, assigned, false, null);
    }

    /** One beside it, without volumes. */
    static ToNode.Assignment plain(String id, int index, Task task) {
        return new ToNode.Assignment(
                id,
                "web.g[" + index + "]",
                index,
                "eval",
                TestTasks.job(JobType.SERVICE, Map.of(), task),
                0,
                "g",
                DesiredStatus.RUN,
                Map.of(),
                false,
                null);
    }

    static TaskState state(ToServer.AllocReport report, String task) {
        return Objects.requireNonNull(report.tasks().get(task), task);
    }

    /** The types of a task's events, oldest first. */
    static List<String> events(ToServer.AllocReport report, String task) {
        return state(report, task).events().stream().map(TaskEvent::type).toList();
    }

    private static final class NoPlugins implements PluginTasks {
        @Override
        public Prepared beforeStart(PluginTask task) {
            throw new AssertionError("no task of these tests is a plugin: " + task);
        }

        @Override
        public HostMount volumes(PluginTask task) {
            throw new AssertionError("no task of these tests is a plugin: " + task);
        }

        @Override
        public void afterStart(PluginTask task, Listener listener) {
            throw new AssertionError("no task of these tests is a plugin: " + task);
        }

        @Override
        public void afterEnd(PluginTask task, RunEnds.Reason why) {
            throw new AssertionError("no task of these tests is a plugin: " + task);
        }
    }

    static final class PlainBinds implements VolumeBinds {
        private final Set<Path> bound = ConcurrentHashMap.newKeySet();
        volatile boolean isStuck;
        volatile boolean isLost;
        volatile boolean isGone;
        volatile boolean isolates;

        /** How often it was looked whether a task with files of its own holds another volume than what is published. */
        final AtomicInteger looks = new AtomicInteger();

        /** What was bound, in this order. */
        final ConcurrentLinkedQueue<Published> shown = new ConcurrentLinkedQueue<>();

        /** With whose files each volume was shown. */
        final ConcurrentLinkedQueue<Optional<IdSwap>> held = new ConcurrentLinkedQueue<>();

        final ConcurrentLinkedQueue<NavigableSet<Long>> sharing = new ConcurrentLinkedQueue<>();

        /** Whom volumes were to be given to. */
        final ConcurrentLinkedQueue<Long> asked = new ConcurrentLinkedQueue<>();

        /** Whose each volume is, then. */
        volatile Supplier<Paths.Whose> whose = () -> new Paths.Whose(false, 0777, 0, 0);

        /** Why no volume can be shown with other ids. */
        volatile @Nullable String cannotSwap;

        Set<Path> boundNow() {
            return Set.copyOf(bound);
        }

        /** What tasks see is dead; what is published is not. */
        void die() {
            bound.clear();
        }

        @Override
        public Bound bind(Published volume, Path taskDir, String destination, boolean readOnly) {
            Path path = taskDir.resolve(destination.substring(1));
            shown.add(volume);
            return new Bound(path, bound.add(path));
        }

        @Override
        public void hold(Published volume, Path taskDir, int number, Mounts.Spread spread, Optional<IdSwap> ids) {
            requireIsolated(taskDir);
            held.add(ids);
        }

        @Override
        public Optional<String> swapFault(Published volume, IdSwap ids) {
            return Optional.ofNullable(cannotSwap);
        }

        @Override
        public boolean holdsOther(Published volume, Path taskDir, int number) {
            requireIsolated(taskDir);
            boolean holds = isLost;
            looks.incrementAndGet();
            return holds;
        }

        @Override
        public boolean isThere(Published volume) {
            return !isGone;
        }

        @Override
        public boolean bindsOther(Published volume, Path taskDir, String destination) {
            return !bound.contains(taskDir.resolve(destination.substring(1)));
        }

        @Override
        public void unbind(Path taskDir, String destination) {
            bound.remove(taskDir.resolve(destination.substring(1)));
        }

        @Override
        public Path held(Path taskDir, int number) {
            requireIsolated(taskDir);
            return taskDir.resolve("held");
        }

        @Override
        public Paths.Whose adopt(Published volume, Path taskDir, int number, long uid, long gid) {
            requireIsolated(taskDir);
            asked.add(uid);
            return whose.get();
        }

        @Override
        public void release(Path taskDir) {
            requireIsolated(taskDir);
        }

        @Override
        public Set<Path> mounted(Path directory) {
            return Set.of();
        }

        @Override
        public void keepInMemory(Path directory, Owner owner) {
            requireIsolated(directory);
        }

        private void requireIsolated(Path directory) {
            if (!isolates) {
                throw new AssertionError("no task of this test is isolated: " + directory);
            }
        }

        @Override
        public void shield(Path allocation) {}

        @Override
        public void share(Path directory, NavigableSet<Long> users) {
            sharing.add(users);
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

    /** What the agents note, and what the next one finds. */
    static final class Notes implements InWork {
        final List<String> noted = new CopyOnWriteArrayList<>();
        final Set<String> quarantined = ConcurrentHashMap.newKeySet();
        volatile int mostAtOnce = Integer.MAX_VALUE;

        @Override
        public void begin(String what) {
            noted.add("begin " + what);
        }

        @Override
        public void end(String what) {
            noted.add("end " + what);
        }

        @Override
        public boolean isQuarantined(String what) {
            return quarantined.contains(what);
        }

        @Override
        public int mostAtOnce() {
            return mostAtOnce;
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

    /** Assigns one that is to run, of a group with that task and that service. */
    final void assign(Service service, Task task) throws InterruptedException {
        JobSpec job = TestTasks.job(JobType.SERVICE, Map.of(), task);
        allocations.assign(
                1,
                List.of(assignment(
                        DesiredStatus.RUN,
                        Map.of(),
                        job.withGroups(List.of(job.groups().getFirst().serving(List.of(service)))))));
    }
}
