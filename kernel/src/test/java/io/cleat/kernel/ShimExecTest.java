package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands beside a task: what they are given, what comes back, and that none outlives its use. */
@Timeout(120)
class ShimExecTest {
    private final SystemTime time = new SystemTime();
    private final Processes processes = Processes.linux();

    @TempDir
    Path temporary;

    private Path root = Path.of("/");
    private ShimRun run = new ShimRun(root, root, processes, time);

    @BeforeEach
    void start() throws Exception {
        root = temporary.toRealPath();
        run = new ShimRun(ShimProgram.built(), root.resolve("run"), processes, time);
        run.start(task(List.of()), soon());
    }

    private ShimDescription task(List<Long> user) {
        return new ShimDescription(
                new ShimDescription.Command(
                        Path.of("/bin/sleep"),
                        List.of("1000"),
                        Map.of("PATH", "/usr/bin:/bin", "GREETING", "good day"),
                        root,
                        user),
                "web",
                Optional.empty(),
                1,
                1000,
                15,
                Duration.ofMillis(200),
                List.of(),
                List.of());
    }

    @AfterEach
    void leaveNothing() throws Exception {
        run.stop(9, Duration.ZERO, soon());
        run.awaitEnd();
        eventually(() -> !run.isAlive(), "the shim goes");
    }

    private Deadline soon() {
        return Deadline.in(time, Duration.ofSeconds(20));
    }

    private interface Fact {
        boolean holds() throws Exception;
    }

    private static void eventually(Fact fact, String what) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!fact.holds()) {
            assertTrue(System.nanoTime() - end < 0, "not within 30 s: " + what);
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    private ShimExec sh(String script) throws Exception {
        return run.exec(new ShimCommand(List.of("sh", "-c", script), false, 0, 0, false), soon());
    }

    private ShimExec terminal(String script, int rows, int columns) throws Exception {
        return run.exec(new ShimCommand(List.of("sh", "-c", script), true, rows, columns, false), soon());
    }

    /** What came of a command in all. */
    private record Result(String out, String error, Optional<ShimExec.Output.Exited> exit) {}

    private static Result result(ShimExec exec) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream error = new ByteArrayOutputStream();
        Optional<ShimExec.Output.Exited> exit = Optional.empty();
        try (exec) {
            for (Optional<ShimExec.Output> next = exec.next(); next.isPresent() && exit.isEmpty(); next = exec.next()) {
                switch (next.get()) {
                    case ShimExec.Output.Out(byte[] bytes) -> out.writeBytes(bytes);
                    case ShimExec.Output.Err(byte[] bytes) -> error.writeBytes(bytes);
                    case ShimExec.Output.Exited exited -> exit = Optional.of(exited);
                }
            }
        }
        return new Result(out.toString(StandardCharsets.UTF_8), error.toString(StandardCharsets.UTF_8), exit);
    }

    private static Result exited(String out, String error, int code, int signal) {
        return new Result(out, error, Optional.of(new ShimExec.Output.Exited(code, signal)));
    }

    private static boolean runs(String mark) throws Exception {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : all) {
                if (arguments(process).contains(mark)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String arguments(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"));
        } catch (IOException goneMeanwhile) {
            return "";
        }
    }

    /** Whoever waited for the end of a command was told "Connection reset", in some runs. */
    @Test
    void shimThatClosesWithInputUnread_isTheEndAfterAllThatItSaid() throws Exception {
        Path socket = root.resolve("s");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
            try (ShimExec exec = new ShimExec(channel)) {
                try (SocketChannel shim = server.accept()) {
                    exec.input(new byte[] {1, 2, 3});
                    shim.write(ByteBuffer.wrap(new byte[] {0, 0, 0, 2, 'o', '!'}));
                }
                assertEquals(
                        "!",
                        new String(((ShimExec.Output.Out) exec.next().orElseThrow()).bytes(), StandardCharsets.UTF_8));
                assertEquals(Optional.empty(), exec.next());
                assertEquals(Optional.empty(), exec.next());
            }
        }
    }

    @Test
    void aCommandHasTheTasksPlaceAndItsEndIsTold() throws Exception {
        assertEquals(
                exited("good day " + root + "\n", "oh\n", 7, 0),
                result(sh("echo $GREETING $(pwd); echo oh >&2; exit 7")));
        assertEquals(exited("", "", -1, 15), result(sh("kill -TERM $$")));
        assertEquals(exited("", "", 0, 0), result(sh("exit 0")));
    }

    @Test
    void aCommandRunsAsTheTasksUserInItsGroups() throws Exception {
        ShimRun other = new ShimRun(ShimProgram.built(), root.resolve("o"), processes, time);
        Root.required("another user");
        other.start(task(List.of(65534L, 65534L)), soon());
        try (ShimExec exec = other.exec(new ShimCommand(List.of("id", "-u"), true, 24, 80, false), soon())) {
            assertEquals(exited("65534\r\n", "", 0, 0), result(exec));
        } finally {
            other.stop(9, Duration.ZERO, soon());
            other.awaitEnd();
        }
    }

    @Test
    void whatCannotBeExecutedIsRefusedWithTheReason() throws Exception {
        KernelTrouble absent = assertThrows(
                KernelTrouble.class,
                () -> run.exec(new ShimCommand(List.of("no-such-program"), false, 0, 0, false), soon()));
        assertEquals(Effect.NONE, absent.effect());
        assertTrue(absent.reason().contains("No such file or directory"), absent.reason());
        run.stop(9, Duration.ZERO, soon());
        run.awaitEnd();
        KernelTrouble over = assertThrows(KernelTrouble.class, () -> sh("true"));
        assertEquals(Effect.NONE, over.effect());
    }

    @Test
    void inputGoesInUntilItsEnd() throws Exception {
        ShimExec exec = sh("cat; echo over");
        exec.input("one ".getBytes(StandardCharsets.UTF_8));
        exec.input(new byte[0]);
        exec.input("two ".getBytes(StandardCharsets.UTF_8));
        exec.endInput();
        assertEquals(exited("one two over\n", "", 0, 0), result(exec));
    }

    @Test
    void whatACommandReadsNoMoreIsDropped() throws Exception {
        ShimExec exec = sh("exec 0<&-; while [ ! -e go ]; do sleep 0.05; done; echo done");
        exec.input(new byte[500_000]);
        exec.endInput();
        Files.createFile(root.resolve("go"));
        assertEquals(exited("done\n", "", 0, 0), result(exec));
    }

    @Test
    void whatComesForACommandThatHasEndedIsDropped_andItsEndIsStillTold() throws Exception {
        try (ShimExec exec = sh("echo done")) {
            // Until the shim has closed its side, which is when nothing of the command runs.
            for (int i = 0; i < 200; i++) {
                exec.input(new byte[32 * 1024]);
            }
            exec.endInput();
            assertEquals(exited("done\n", "", 0, 0), result(exec));
        }
    }

    @Test
    void aTerminalHasItsSizeItsKeysAndItsEnd() throws Exception {
        ShimExec exec = terminal(
                "tty -s && stty size && echo $TERM && trap 'stty size; exit 3' WINCH;"
                        + " echo ready; while :; do sleep 0.05; done",
                24,
                80);
        assertEquals("24 80\r\nxterm\r\nready\r\n", readUntil(exec, "ready\r\n"));
        exec.resize(50, 132);
        assertEquals(exited("50 132\r\n", "", 3, 0), result(exec));
        ShimExec interrupted = terminal("echo ready; exec sleep 1000", 24, 80);
        assertEquals("ready\r\n", readUntil(interrupted, "ready\r\n"));
        interrupted.input(new byte[] {3});
        assertEquals(exited("^C", "", -1, 2), result(interrupted));
        ShimExec ended = terminal("stty -echo; echo ready; cat; echo over", 24, 80);
        readUntil(ended, "ready\r\n");
        ended.input("line\n".getBytes(StandardCharsets.UTF_8));
        ended.endInput();
        assertTrue(result(ended).out().endsWith("line\r\nover\r\n"));
    }

    /** What a terminal shows until it ends with {@code last}: its bytes come in any pieces. */
    private static String readUntil(ShimExec exec, String last) throws Exception {
        StringBuilder shown = new StringBuilder();
        while (!shown.toString().endsWith(last)) {
            ShimExec.Output.Out next = (ShimExec.Output.Out) exec.next().orElseThrow();
            shown.append(new String(next.bytes(), StandardCharsets.UTF_8));
        }
        return shown.toString();
    }

    @Test
    void aCommandEndsWithItsConnectionAndWithAllItStarted() throws Exception {
        String mark = "mark-" + root.getFileName();
        for (boolean isTerminal : List.of(false, true)) {
            String script = "trap '' HUP; (sh -c 'trap \"\" HUP; sleep 1000; : %1$s' &) ;".formatted(mark)
                    + " echo ready; sleep 1000; : "
                    + mark;
            ShimExec exec = isTerminal ? terminal(script, 0, 0) : sh(script);
            exec.next();
            assertTrue(runs(mark));
            exec.close();
            eventually(() -> !runs(mark), "all of the command is gone");
        }
        assertTrue(run.runs());
    }

    @Test
    void whatACommandLeavesBehindGoesWithIt() throws Exception {
        String mark = "mark-" + root.getFileName();
        assertEquals(
                exited("started\n", "", 0, 0), result(sh("setsid sh -c 'sleep 1000; : " + mark + "' & echo started")));
        assertTrue(!runs(mark));
    }

    @Test
    void aTaskThatEndsTakesItsCommandsWithIt() throws Exception {
        String mark = "mark-" + root.getFileName();
        ShimExec exec = sh("trap '' HUP TERM; echo ready; sleep 1000; : " + mark);
        exec.next();
        run.stop(15, Duration.ofSeconds(5), soon());
        Result result = result(exec);
        assertTrue(result.exit().isEmpty() || result.exit().get().signal() == 9, result.toString());
        run.awaitEnd();
        assertTrue(!runs(mark));
    }
}
