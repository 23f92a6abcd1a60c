package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskHasEnded;
import io.cleat.driver.TaskLost;
import io.cleat.driver.TaskStats;
import io.cleat.driver.rawexec.RawExecDriver;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Processes;
import io.cleat.model.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code raw_exec} keeps the contract, and what only real processes can show. */
class RawExecDriverTest extends ProcessDriverContract {
    private final SystemTime time = new SystemTime();
    private final Processes processes = Processes.linux();

    @TempDir
    Path root;

    private Path shim = Path.of("/");
    private PathWorkers workers = workersOf(Path.of("/"));
    private Cgroups cgroups = new NoCgroups();
    private TaskDriver driver = new FakeDriver("none", time);

    @BeforeEach
    void makeDriver() throws Exception {
        shim = ShimProgram.built();
        workers = workersOf(shim);
        String parent = "cleat-test-" + ProcessHandle.current().pid();
        Cgroups real = Cgroups.linux(parent, time);
        LeakCheck.noteGroup(parent);
        cgroups = mayMake(real) ? real : new NoCgroups();
        Files.createDirectory(root.resolve("logs"));
        Files.createDirectory(root.resolve("task"));
        restart();
    }

    private PathWorkers workersOf(Path program) {
        return new PathWorkers(
                program,
                Threads.virtual((where, fault) -> {
                    throw new AssertionError(where, fault);
                }),
                time);
    }

    /** Not every root may write to the control groups it sees. */
    private boolean mayMake(Cgroups real) throws InterruptedException {
        try {
            real.create("probe").remove(Deadline.in(time, Duration.ofSeconds(1)));
            return true;
        } catch (KernelTrouble refused) {
            return false;
        }
    }

    @Override
    protected void nothingIsLeft() throws Exception {
        workers.close();
        for (String name : cgroups.names()) {
            Cgroups.Group group = cgroups.group(name);
            group.killAll(Deadline.in(time, Duration.ofSeconds(10)));
            group.remove(Deadline.in(time, Duration.ofSeconds(10)));
        }
        assertTrue(cgroups.removeParent());
    }

    @Override
    protected TaskDriver driver() {
        return driver;
    }

    @Override
    protected void restart() {
        driver = new RawExecDriver(shim, root.resolve("shims"), cgroups, processes, workers, time);
    }

    @Override
    protected TaskConfig config(String id, Map<String, Object> block) {
        return config(id, block, Resources.NONE);
    }

    private TaskConfig config(String id, Map<String, Object> block, Resources resources) {
        return new TaskConfig(
                id,
                "alloc",
                "web",
                block,
                Map.of("GREETING", "hello\nworld"),
                "",
                resources,
                root,
                root.resolve("task"),
                List.of(),
                new TaskConfig.Logs(root.resolve("logs"), 3, 1 << 20, false));
    }

    private TaskConfig sh(String script) {
        return config("alloc/web/ffffffff", shell(script));
    }

    @Override
    protected Map<String, Object> shell(String script) {
        return Map.of("command", "/bin/sh", "args", List.of("-c", script));
    }

    @Override
    protected String printed() throws Exception {
        return output("stdout");
    }

    @Override
    protected Map<String, Object> exiting(int code) {
        return shell("exit " + code);
    }

    @Override
    protected Map<String, Object> waiting() {
        return Map.of("command", "sleep", "args", List.of("300"));
    }

    @Override
    protected Map<String, Object> stubborn() {
        return shell("trap '' TERM; echo > stubborn; while :; do sleep 0.05; done");
    }

    @Override
    protected void awaitStubbornness(TaskHandle task) throws Exception {
        Eventually.holds(() -> Files.exists(root.resolve("task/stubborn")), "the trap is set");
    }

    private String output(String stream) throws IOException {
        return KeptOutput.of(root, stream);
    }

    @Test
    void aTaskSeesItsEnvironmentItsDirectoryAndNothingOfTheAgents() throws Exception {
        TaskHandle task = driver.start(sh("echo \"$GREETING\"; pwd; echo \"home=$HOME\"; echo err >&2"));
        assertTrue(driver.await(task).isSuccess());
        assertEquals("hello\nworld\n" + root.resolve("task").toRealPath() + "\nhome=\n", output("stdout"));
        assertEquals("err\n", output("stderr"));
        driver.destroy(task);
        assertFalse(Files.exists(root.resolve("shims/alloc.web.ffffffff")));
    }

    @Test
    void aTaskWhoseShimDirectoryIsGone_isKnownByItsControlGroup() throws Exception {
        Assumptions.assumeFalse(cgroups instanceof NoCgroups, "reason: no control groups here");
        TaskHandle task = driver.start(sh("while :; do sleep 0.05; done"));
        Path directory = root.resolve("shims/alloc.web.ffffffff");
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
        restart();
        assertEquals(List.of(task), driver.live("alloc"));
        assertFalse(assertThrows(TaskLost.class, () -> driver.await(task)).isWithMachine());
        assertEquals(List.of(), driver.live("alloc"));
        driver.destroy(task);
    }

    @Test
    void aCommandOfTheTaskDirectoryIsFoundBeforeThePath() throws Exception {
        Path own = root.resolve("task/sleep");
        Files.writeString(own, "#!/bin/sh\nexit 42\n");
        assertTrue(own.toFile().setExecutable(true));
        TaskHandle task = driver.start(config("alloc/web/00000001", waiting()));
        assertEquals(new ExitResult(42, 0, false), driver.await(task));
        driver.destroy(task);
    }

    @Test
    void whatCannotBeExecutedLeavesNothing() throws Exception {
        Path file = Files.writeString(root.resolve("task/plain"), "no program");
        for (Map<String, Object> block : List.<Map<String, Object>>of(
                Map.of("command", "/nonexistent/program"),
                Map.of("command", file.toString()),
                Map.of("command", "no-such-command-anywhere"))) {
            TaskConfig config = config("alloc/web/00000002", block);
            DriverTrouble trouble = assertThrows(DriverTrouble.class, () -> driver.start(config));
            assertEquals(Effect.NONE, trouble.effect(), trouble.reason());
            assertTrue(trouble.reason().contains(String.valueOf(block.get("command"))), trouble.reason());
            assertTrue(driver.find(config).isEmpty());
            assertFalse(Files.exists(root.resolve("shims/alloc.web.00000002")));
        }
    }

    @Test
    void aTaskThatAllocatesMoreThanItMayIsKilledAndSaysSo() throws Exception {
        Assumptions.assumeTrue(limitsMemory(), "reason: no control group of this machine limits memory");
        // tail keeps what has no newline in memory.
        TaskHandle task = driver.start(
                config("alloc/web/00000003", shell("tail /dev/zero; echo survived"), new Resources(100, 16, 24)));
        ExitResult end = driver.await(task);
        assertTrue(end.oomKilled(), end.toString());
        assertFalse(end.isSuccess());
        driver.destroy(task);
    }

    private boolean limitsMemory() throws Exception {
        Cgroups.Group probe = cgroups.create("probe");
        try {
            return probe.directories().stream()
                    .anyMatch(group -> Files.exists(group.resolve("memory.limit_in_bytes"))
                            || Files.exists(group.resolve("memory.max")));
        } finally {
            probe.remove(Deadline.in(time, Duration.ofSeconds(1)));
        }
    }

    @Test
    void whatATaskUsesIsMeasured() throws Exception {
        TaskHandle task = driver.start(sh("while :; do :; done"));
        Eventually.holds(() -> driver.stats(task).cpuUserNanos() > 0, "processor time is counted");
        TaskStats stats = driver.stats(task);
        assertTrue(stats.memoryBytes() > 0);
        assertEquals(1, stats.pids().size());
        driver.destroy(task);
    }

    /** It had used nothing, at no processor, in no memory. */
    @Test
    void theUseOfATaskThatHasEnded_isNoZeroes() throws Exception {
        TaskHandle task = driver.start(sh("exit 0"));
        driver.await(task);
        TaskHasEnded ended = assertThrows(TaskHasEnded.class, () -> driver.stats(task));
        assertTrue(ended.reason().contains(task.id()), ended.reason());
        driver.destroy(task);
        assertThrows(DriverTrouble.class, () -> driver.stats(task));
    }

    @Test
    void aTaskWhoseShimWasKilledIsEndedAndSaidToBeLost() throws Exception {
        TaskHandle task = driver.start(sh("sleep 303 & echo $! > child; wait"));
        Eventually.holds(() -> Files.exists(root.resolve("task/child")), "the child runs");
        Eventually.holds(() -> !Files.readString(root.resolve("task/child")).isBlank(), "its id is known");
        long child = Long.parseLong(Files.readString(root.resolve("task/child")).strip());
        Path state = root.resolve("shims/alloc.web.ffffffff/state");
        long shimPid = Files.readAllLines(state).stream()
                .filter(line -> line.startsWith("shim "))
                .mapToLong(line -> Long.parseLong(line.split(" ", -1)[1]))
                .findFirst()
                .orElseThrow();
        processes.signal(processes.identify(shimPid).orElseThrow(), Processes.SIGKILL);
        DriverTrouble trouble = assertThrows(DriverTrouble.class, () -> driver.await(task));
        assertEquals(Effect.APPLIED, trouble.effect());
        assertTrue(processes.identify(child).isEmpty());
        driver.destroy(task);
    }

    @Test
    void withoutControlGroupsATaskEndsWithItsChildrenToo() throws Exception {
        driver = new RawExecDriver(shim, root.resolve("shims"), new NoCgroups(), processes, workers, time);
        endsWithItsChildren();
    }

    /** Looking for it had no end. */
    @Test
    void aProgramBehindALinkThatHangsFailsItsOwnStart() throws Exception {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "reason: mounting needs root");
        FuseEffects fuse = FuseEffects.over(Files.createDirectory(root.resolve("pool")), root.toRealPath());
        Path hung = Files.createDirectory(root.toRealPath().resolve("hung"));
        Path local = Files.createDirectory(root.resolve("task/local"));
        Files.createSymbolicLink(local.resolve("sleep"), hung.resolve("sleep"));
        try {
            fuse.stage(NodeStageVolumeRequest.newBuilder()
                    .setVolumeId("v")
                    .setStagingTargetPath(hung.toString())
                    .build());
            fuse.freeze();
            Map<String, Object> block = Map.of("command", "sleep", "args", List.of("600"));
            DriverTrouble trouble = assertThrows(DriverTrouble.class, () -> driver.start(config("hangs", block)));
            assertTrue(trouble.reason().contains("where its program is"), trouble.reason());
            assertEquals(Effect.NONE, trouble.effect());
            fuse.thaw();
            driver.destroy(driver.start(config("hangs", block)));
        } finally {
            fuse.end();
            Mounts.linux().detach(hung);
        }
    }

    @Test
    void withoutTheShimTheDriverIsUnhealthyAndSaysHowToGetIt() {
        RawExecDriver without =
                new RawExecDriver(root.resolve("absent"), root.resolve("shims"), cgroups, processes, workers, time);
        assertFalse(without.fingerprint().healthy());
        assertTrue(without.fingerprint().healthDescription().contains("scripts/shim.sh"));
        assertTrue(driver.fingerprint().healthy());
    }
}
