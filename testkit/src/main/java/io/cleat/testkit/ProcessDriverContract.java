package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.ExecSession.Output;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a driver owes its caller whose tasks are programs of this machine: commands beside them, their output, and what
 * becomes of those that do not behave.
 */
@Timeout(60)
public abstract class ProcessDriverContract extends TaskDriverContract {
    /** All that a process has of its surroundings, as it sees them itself. */
    private static final String SURROUNDINGS = """
            pwd; id; umask; ulimit -a; env | sort
            grep -E '^(Uid|Gid|Groups|NoNewPrivs|Seccomp|Cap)' /proc/self/status
            cat /proc/self/cgroup /proc/self/oom_score_adj
            for each in cgroup ipc mnt net pid user uts; do readlink /proc/self/ns/$each; done
            """;

    private static final String IGNORING = "trap '' HUP TERM; ";

    /** The block of a task that is a script of {@code sh}. */
    protected abstract Map<String, Object> shell(String script);

    /** What the task printed so far. */
    protected abstract String printed() throws Exception;

    private ExecSession exec(TaskHandle task, boolean terminal, String script) throws Exception {
        return driver().exec(task, new ExecCommand(List.of("sh", "-c", script), terminal));
    }

    /**
     * What came of a command.
     *
     * @param exit empty if nobody said how it ended
     */
    private record Result(String out, String errors, Optional<ExitResult> exit) {
        static Result exited(String out, String errors, int code, int signal) {
            return new Result(out, errors, Optional.of(new ExitResult(code, signal, false)));
        }
    }

    private static Result result(ExecSession session) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        Optional<ExitResult> exit = Optional.empty();
        try (session) {
            for (Optional<Output> next = session.next(); next.isPresent() && exit.isEmpty(); next = session.next()) {
                switch (next.get()) {
                    case Output.Out(byte[] bytes) -> out.writeBytes(bytes);
                    case Output.Err(byte[] bytes) -> errors.writeBytes(bytes);
                    case Output.Exited(ExitResult end) -> exit = Optional.of(end);
                }
            }
        }
        return new Result(out.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8), exit);
    }

    /** Reads up to the words, which the command prints. */
    private static String until(ExecSession session, String words) throws Exception {
        StringBuilder got = new StringBuilder();
        while (!got.toString().contains(words)) {
            Output next = session.next().orElseThrow();
            byte[] bytes = next instanceof Output.Out(byte[] some) ? some : new byte[0];
            assertTrue(bytes.length > 0, next + " after " + got);
            got.append(new String(bytes, StandardCharsets.UTF_8));
        }
        return got.toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Whether any process of this machine was given that word. */
    private static boolean runs(String mark) {
        return ProcessHandle.allProcesses()
                .anyMatch(process -> process.info().commandLine().orElse("").contains(mark));
    }

    @Test
    void aCommandIsWhereItsTaskIsAndItsEndIsTold() throws Exception {
        TaskHandle task = started(shell(SURROUNDINGS + "echo; exec sleep 300"));
        Eventually.holds(() -> printed().endsWith("\n\n"), "the task has looked around");
        assertEquals(
                Result.exited(printed(), "oh\n", 7, 0),
                result(exec(task, false, SURROUNDINGS + "echo; echo oh >&2; exit 7")));
        assertEquals(Result.exited("", "", 143, 15), result(exec(task, false, "kill -TERM $$")));
        ExecSession reading = exec(task, false, "cat; echo over");
        reading.input(bytes("one "));
        reading.input(new byte[0]);
        reading.input(bytes("two "));
        reading.endInput();
        assertEquals(Result.exited("one two over\n", "", 0, 0), result(reading));
        ExecSession deaf = exec(task, false, "exec 0<&-; echo deaf; sleep 0.1; echo over");
        until(deaf, "deaf\n");
        deaf.input(new byte[500_000]);
        assertEquals(Result.exited("over\n", "", 0, 0), result(deaf));
        DriverTrouble absent = assertThrows(
                DriverTrouble.class, () -> driver().exec(task, new ExecCommand(List.of("no-such-program"), false)));
        assertEquals(Effect.NONE, absent.effect());
        assertTrue(absent.reason().contains("No such file or directory"), absent.reason());
        assertTrue(driver().execFrames(task, new ExecCommand(List.of("true"), false))
                .isEmpty());
    }

    @Test
    void aTerminalHasItsSizeItsKeysAndItsEnd() throws Exception {
        TaskHandle task = started(waiting());
        String script =
                "tty -s && echo $TERM && trap 'stty size; exit 3' WINCH && echo ready; while :; do sleep 0.05; done";
        ExecSession sized = exec(task, true, script);
        assertEquals("xterm\r\nready\r\n", until(sized, "ready\r\n"));
        sized.resize(50, 132);
        assertEquals(Result.exited("50 132\r\n", "", 3, 0), result(sized));
        ExecSession interrupted = exec(task, true, "echo ready; exec sleep 1000");
        until(interrupted, "ready\r\n");
        interrupted.input(new byte[] {3});
        assertEquals(Result.exited("^C", "", 130, 2), result(interrupted));
        ExecSession ended = exec(task, true, "stty -echo; echo ready; cat; echo over >&2");
        until(ended, "ready\r\n");
        ended.input(bytes("line\n"));
        ended.endInput();
        assertEquals(Result.exited("line\r\nover\r\n", "", 0, 0), result(ended));
    }

    @Test
    void aHundredMegabytesComeBackAsTheyWentAndTwoHundredCommandsRunAtOnce() throws Exception {
        TaskHandle task = started(waiting());
        MessageDigest sent = MessageDigest.getInstance("SHA-256");
        MessageDigest came = MessageDigest.getInstance("SHA-256");
        try (ExecSession session = exec(task, false, "exec cat");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writing = threads.submit(() -> {
                Random random = new Random(5);
                byte[] some = new byte[100_000];
                for (int i = 0; i < 1000; i++) {
                    random.nextBytes(some);
                    sent.update(some);
                    session.input(some);
                }
                session.endInput();
                return null;
            });
            long got = 0;
            while (session.next().orElseThrow() instanceof Output.Out(byte[] bytes)) {
                came.update(bytes);
                got += bytes.length;
            }
            writing.get();
            assertEquals(100_000_000L, got);
            assertArrayEquals(sent.digest(), came.digest());
            List<Future<Result>> results = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                byte[] number = bytes("number " + i + "\n");
                results.add(threads.submit(() -> {
                    ExecSession one = exec(task, false, "read x; echo $x; exit 3");
                    one.input(number);
                    return result(one);
                }));
            }
            for (int i = 0; i < 200; i++) {
                Result one = results.get(i).get();
                assertEquals(Result.exited("number " + i + "\n", "", 3, 0), one);
            }
        }
    }

    @Test
    void aCommandEndsWithItsConnectionAndLeavesNothing() throws Exception {
        String mark = "mark-" + System.nanoTime();
        TaskHandle task = started(waiting());
        String script = IGNORING
                + "(setsid sh -c '%1$ssleep 1000; : %2$s' &); echo ready; sleep 1000; : %2$s"
                        .formatted(IGNORING.replace("'", "\""), mark);
        ExecSession inPipes = exec(task, false, script);
        ExecSession onTerminal = exec(task, true, script);
        until(inPipes, "ready");
        until(onTerminal, "ready");
        assertTrue(runs(mark));
        inPipes.close();
        onTerminal.close();
        Eventually.holds(() -> !runs(mark), "all of both commands is gone");
        String leaving = "setsid sh -c 'sleep 1000; : " + mark + "' & echo left";
        assertEquals(Result.exited("left\n", "", 0, 0), result(exec(task, false, leaving)));
        assertFalse(runs(mark));
        assertEquals(Result.exited("on\n", "", 0, 0), result(exec(task, false, "echo on")));
    }

    @Test
    void aCommandEndsWithItsTask() throws Exception {
        String mark = "mark-" + System.nanoTime();
        TaskHandle task = started(waiting());
        ExecSession session = exec(task, false, IGNORING + "echo ready; sleep 1000; : " + mark);
        until(session, "ready\n");
        driver().signal(task, "SIGTERM");
        Optional<ExitResult> end = result(session).exit();
        assertTrue(end.isEmpty() || end.get().signal() == 9, end.toString());
        assertEquals(new ExitResult(143, 15, false), driver().await(task));
        assertFalse(runs(mark));
        DriverTrouble over = assertThrows(
                DriverTrouble.class, () -> exec(task, false, "true").close());
        assertEquals(Effect.NONE, over.effect());
    }

    @Test
    void whoLeavesItsTaskGoesWithIt() throws Exception {
        endsWithItsChildren();
    }

    /** Whoever leaves its task, with whatever trick, goes with it. */
    protected final void endsWithItsChildren() throws Exception {
        String mark = "mark-" + System.nanoTime();
        String left = "sh -c '" + IGNORING.replace("'", "\"") + "sleep 1000; : " + mark + "'";
        TaskHandle task = started(shell("(setsid " + left + " &); (" + left + " &); sleep 0.1; exit 5"));
        assertEquals(new ExitResult(5, 0, false), driver().await(task));
        assertFalse(runs(mark));
    }

    /** The hard limit of a process, which its soft one is too; in the words of proc(5). */
    private static String limit(long pid, String name) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/limits"))) {
            if (line.startsWith(name)) {
                String[] limits = line.substring(name.length()).strip().split("\\s+", -1);
                assertEquals(limits[0], limits[1], line);
                return limits[1];
            }
        }
        throw new IOException("process " + pid + " has no " + name);
    }

    /** How many processes may be where that one is; empty where no control group counts them. */
    private static Optional<String> mostProcesses(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/cgroup"))) {
            String[] parts = line.split(":", 3);
            Path hierarchy = Path.of("/sys/fs/cgroup", parts[1]);
            if (parts[1].isEmpty() || parts[1].equals("pids")) {
                Path most = hierarchy.resolve(parts[2].substring(1)).resolve("pids.max");
                if (Files.exists(most)) {
                    return Optional.of(Files.readString(most).strip());
                }
            }
        }
        return Optional.empty();
    }

    @Test
    void everyProcessOfATaskHasLimits() throws Exception {
        TaskHandle task = started(waiting());
        long own = ProcessHandle.current().pid();
        long files = 65_536;
        for (String line : Files.readAllLines(Path.of("/proc/" + own + "/limits"))) {
            if (line.startsWith("Max open files")) {
                files = Math.min(files, Long.parseLong(line.strip().split("\\s+", -1)[4]));
            }
        }
        List<Long> pids = driver().stats(task).pids();
        assertFalse(pids.isEmpty());
        for (long pid : pids) {
            assertEquals("0", limit(pid, "Max core file size"));
            assertEquals(Long.toString(files), limit(pid, "Max open files"));
            assertEquals("8388608", limit(pid, "Max locked memory"));
            assertEquals("819200", limit(pid, "Max msgqueue size"));
            assertEquals("0", limit(pid, "Max realtime priority"));
        }
        Optional<String> most = mostProcesses(pids.getFirst());
        Assumptions.assumeTrue(most.isPresent(), "reason: no control group of this machine counts processes");
        assertEquals("4096", most.get());
    }

    private static Map<Path, Long> files(Path directory) throws IOException {
        Map<Path, Long> sizes = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "web.*")) {
            for (Path file : files) {
                sizes.put(file.getFileName(), Files.size(file));
            }
        }
        return sizes;
    }

    @Test
    void outputBeyondItsFilesOrTheDiskHoldsNobodyUp() throws Exception {
        TaskConfig config = next(shell("seq 1 1000000; echo over"));
        Path logs = config.logs().directory();
        assertEquals(new ExitResult(0, 0, false), driver().await(started(config)));
        Map<Path, Long> kept = files(logs);
        long most = config.logs().maxFiles() * config.logs().maxFileSize();
        assertTrue(kept.values().stream().mapToLong(Long::longValue).sum() <= most, kept + "");
        Path newest = Path.of("web.stdout.6");
        assertTrue(Files.readString(logs.resolve(newest)).endsWith("\n1000000\nover\n"), kept + "");
        SmallDisk disk = SmallDisk.mount(logs, 1);
        try {
            disk.fill(64 << 10);
            ExitResult end = driver().await(started(shell("seq 1 50000; echo over >&2")));
            assertEquals(0, end.exitCode());
            long stored =
                    files(logs).values().stream().mapToLong(Long::longValue).sum();
            assertEquals(288_894 + "over\n".length(), stored + end.lostOutput());
            assertTrue(end.lostOutput() > 200_000, end.toString());
        } finally {
            disk.close();
        }
    }

    @Test
    void outputThatIsLostIsToldWhileTheTaskRuns() throws Exception {
        TaskConfig config = next(shell("seq 1 50000; sleep 300"));
        SmallDisk disk = SmallDisk.mount(config.logs().directory(), 1);
        try {
            disk.fill(64 << 10);
            TaskHandle task = started(config);
            Eventually.holds(() -> driver().lostOutput(task).orElse(0) > 200_000, "what is lost is told");
            driver().destroy(task);
        } finally {
            disk.close();
        }
    }

    @Test
    void aTaskWhoseOutputIsNotKeptRunsAndNobodyCollects() throws Exception {
        TaskConfig given = next(shell("seq 1 50000; echo lost >&2; exit 3"));
        Path logs = given.logs().directory();
        TaskConfig config = new TaskConfig(
                given.id(),
                given.allocId(),
                given.task(),
                given.config(),
                given.env(),
                given.user(),
                given.resources(),
                given.allocDir(),
                given.taskDir(),
                given.mounts(),
                new TaskConfig.Logs(logs, 3, 1 << 20, true));
        assertEquals(new ExitResult(3, 0, false), driver().await(started(config)));
        assertEquals(Map.of(), files(logs));
    }
}
