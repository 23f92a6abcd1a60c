package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shim from outside: what stays true whoever is killed and whatever is full. */
@Timeout(120)
class ShimRunTest {
    private final SystemTime time = new SystemTime();
    private final Processes processes = Processes.linux();
    private final Mounts mounts = Mounts.linux();

    @TempDir
    Path temporary;

    private Path root = Path.of("/");
    private Path shim = root;
    private Path logs = root;
    private Path directory = root;
    private ShimRun run = new ShimRun(shim, directory, processes, time);

    @BeforeEach
    void prepare() throws Exception {
        shim = ShimProgram.built();
        root = temporary.toRealPath();
        logs = Files.createDirectory(root.resolve("logs"));
        use(root.resolve("run"));
    }

    private void use(Path where) {
        directory = where;
        run = new ShimRun(shim, directory, processes, time);
    }

    @AfterEach
    void leaveNothing() throws Exception {
        if (run.runs()) {
            run.stop(9, Duration.ZERO, soon());
            run.awaitEnd();
        }
        eventually(() -> !run.isAlive(), "the shim goes");
        for (Mount mount : mounts.table().atOrBelow(root).reversed()) {
            mounts.detach(Path.of(mount.target()));
        }
    }

    private Deadline soon() {
        return Deadline.in(time, Duration.ofSeconds(20));
    }

    private ShimDescription sh(String script, int maxFiles, long maxFileSize, List<Long> user) {
        return sh(script, maxFiles, maxFileSize, user, Duration.ofMillis(200));
    }

    private ShimDescription sh(String script, int maxFiles, long maxFileSize, List<Long> user, Duration killTimeout) {
        return new ShimDescription(
                new ShimDescription.Command(
                        Path.of("/bin/sh"), List.of("-c", script), Map.of("PATH", "/usr/bin:/bin"), root, user),
                "web",
                Optional.of(logs),
                maxFiles,
                maxFileSize,
                15,
                killTimeout,
                List.of(),
                List.of());
    }

    private ShimDescription sh(String script) {
        return sh(script, 10, 10 << 20, List.of());
    }

    private ShimExit end() throws Exception {
        return run.awaitEnd().orElseThrow();
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

    /** The numbers of a stream's files, in order. */
    private List<Integer> files() throws Exception {
        try (var entries = Files.list(logs)) {
            return entries.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("web.stdout."))
                    .map(name -> Integer.parseInt(name.substring("web.stdout.".length())))
                    .sorted()
                    .toList();
        }
    }

    private String output() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int number : files()) {
            text.append(Files.readString(logs.resolve("web.stdout." + number)));
        }
        return text.toString();
    }

    private static String numbers(int last) {
        return IntStream.rangeClosed(1, last).mapToObj(Integer::toString).collect(Collectors.joining("\n", "", "\n"));
    }

    @Test
    void outputIsRotatedInOrderAndWithoutAGap() throws Exception {
        run.start(sh("seq 1 40000", 1000, 10_000, List.of()), soon());
        assertEquals(0, end().code());
        assertEquals(numbers(40_000), output());
        assertEquals(numbers(40_000).length() / 10_000 + 1, files().size());
        assertEquals(10_000, Files.size(logs.resolve("web.stdout.0")));
    }

    @Test
    void linesThatComeSteadilyWakeWhoKeepsThemNowAndThenOnly() throws Exception {
        run.start(
                sh("i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo $i; sleep 0.01; done;"
                        + " while [ ! -e go ]; do sleep 0.01; done; seq 61 90000"),
                soon());
        eventually(() -> !files().isEmpty() && output().equals(numbers(60)), "all is taken");
        long shim = run.state().orElseThrow().shim().pid();
        long waits = waits(shim);
        for (ProcessHandle child :
                ProcessHandle.of(shim).orElseThrow().children().toList()) {
            waits += child.pid() == run.state().orElseThrow().child().pid() ? 0 : waits(child.pid());
        }
        assertTrue(waits < 45, "it waited " + waits + " times for 60 lines");
        Files.writeString(root.resolve("go"), "");
        assertEquals(0, end().code());
        assertEquals(numbers(90_000), output());
    }

    private static long waits(long pid) throws Exception {
        String status = Files.readString(Path.of("/proc/" + pid + "/status"));
        return Long.parseLong(status.replaceAll("(?s).*\nvoluntary_ctxt_switches:\\s*(\\d+)\n.*", "$1"));
    }

    @Test
    void onlyTheNewestFilesAreKept() throws Exception {
        run.start(sh("seq 1 40000", 3, 10_000, List.of()), soon());
        end();
        int newest = numbers(40_000).length() / 10_000;
        assertEquals(List.of(newest - 2, newest - 1, newest), files());
        assertTrue(numbers(40_000).endsWith(output()));
    }

    @Test
    void aTaskStartedAgainGoesOnInTheNewestFile() throws Exception {
        run.start(sh("seq 1 3000", 10, 10_000, List.of()), soon());
        end();
        use(root.resolve("run2"));
        run.start(sh("seq 3001 6000", 10, 10_000, List.of()), soon());
        end();
        assertEquals(numbers(6000), output());
    }

    @Test
    void killingWhoeverStartedItChangesNothing() throws Exception {
        Files.createDirectory(directory);
        Files.write(
                directory.resolve("task"),
                sh("i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo $i; sleep 0.01; done; exit 6")
                        .encode());
        Process caller = new ProcessBuilder("sh", "-c", shim + " run " + directory + "; exec sleep 1000").start();
        eventually(() -> !files().isEmpty() && output().contains("20\n"), "it counts");
        caller.destroyForcibly();
        assertTrue(caller.waitFor(10, TimeUnit.SECONDS));
        assertTrue(run.exit().isEmpty());
        assertEquals(6, end().code());
        assertEquals(numbers(200), output());
    }

    @Test
    void whereTheDiskIsFullOutputIsCountedAndGoesOnLater() throws Exception {
        Root.required("mounting");
        mounts.mount("cleat-test", logs, "tmpfs", Set.of(), "size=64k");
        Path ballast = Files.write(logs.resolve("ballast"), new byte[60 << 10]);
        run.start(sh("seq 1 40000; echo > full; while [ ! -e room ]; do sleep 0.01; done; echo again"), soon());
        eventually(() -> Files.exists(root.resolve("full")), "the task was not held up");
        eventually(() -> run.status(soon()).droppedBytes() > 0, "what is lost is counted");
        Files.delete(ballast);
        Files.writeString(root.resolve("room"), "");
        ShimExit exit = end();
        assertEquals(0, exit.code());
        String kept = output();
        assertTrue(kept.endsWith("again\n"), "what comes after is kept");
        assertEquals(numbers(40_000).length() + "again\n".length(), exit.droppedBytes() + kept.length());
    }

    @Test
    void theEndIsRecordedOnceThereIsRoomForIt() throws Exception {
        Root.required("mounting");
        Path small = Files.createDirectory(root.resolve("small"));
        mounts.mount("cleat-test", small, "tmpfs", Set.of(), "size=64k");
        use(small.resolve("run"));
        run.start(sh("while [ ! -e go ]; do sleep 0.01; done; exit 4"), soon());
        Path ballast = small.resolve("ballast");
        try (var file = Files.newOutputStream(ballast)) {
            assertThrows(IOException.class, () -> {
                while (true) {
                    file.write(new byte[512]);
                }
            });
        }
        Files.writeString(root.resolve("go"), "");
        eventually(() -> run.status(soon()).phase() == ShimStatus.Phase.ENDING, "the task has ended");
        assertTrue(run.exit().isEmpty());
        Files.delete(ballast);
        assertEquals(4, end().code());
    }

    @Test
    void ofManyStartsOfOneDirectoryOneRuns() throws Exception {
        Files.createDirectory(directory);
        Files.write(
                directory.resolve("task"), sh("echo ran >> count; sleep 0.3").encode());
        List<Process> starts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            starts.add(new ProcessBuilder(shim.toString(), "run", directory.toString()).start());
        }
        int started = 0;
        for (Process start : starts) {
            int code = start.waitFor();
            assertTrue(code == 0 || code == 3, "exit code " + code);
            started += code == 0 ? 1 : 0;
        }
        assertEquals(1, started);
        end();
        KernelTrouble again = assertThrows(KernelTrouble.class, () -> run.start(sh("true"), soon()));
        assertEquals(Effect.NONE, again.effect());
        assertEquals("ran\n", Files.readString(root.resolve("count")));
    }

    @Test
    void whatWasWithdrawnIsNeverStartedByALateShim() throws Exception {
        Files.createDirectory(directory);
        Files.write(directory.resolve("task"), sh("echo ran >> count").encode());
        assertFalse(run.settle(soon()));
        Process late = new ProcessBuilder(shim.toString(), "run", directory.toString()).start();
        assertEquals(2, late.waitFor());
        assertFalse(Files.exists(root.resolve("count")));
        // Whoever called it may be answered a moment before it has let go of its lock.
        eventually(() -> !run.isAlive(), "the late one goes");
        run.start(sh("echo ran >> count"), soon());
        end();
        assertTrue(run.settle(soon()));
    }

    @Test
    void aShimThatIsToldToEndStopsItsTaskAsDescribed() throws Exception {
        run.start(sh("trap '' TERM; echo ready; while :; do sleep 0.02; done"), soon());
        eventually(() -> output().equals("ready\n"), "the task ignores SIGTERM");
        processes.signal(run.state().orElseThrow().shim(), 15);
        assertEquals(9, end().signal());
    }

    /** Starts a task that ends with 3 when it is told to, from now on. */
    private void startTrapping() throws Exception {
        String script = "trap 'exit 3' TERM; echo up; while :; do sleep 0.02; done";
        run.start(sh(script, 10, 10 << 20, List.of(), Duration.ofSeconds(30)), soon());
        eventually(() -> output().equals("up\n"), "the trap is set");
    }

    /** Who takes an unreadable record for an end starts the task a second time. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aShimWhoseRecordIsLost_isKnownByItsLock(boolean isEmptied) throws Exception {
        startTrapping();
        ProcessIdentity shim = run.state().orElseThrow().shim();
        Path state = directory.resolve("state");
        if (isEmptied) {
            Files.write(state, new byte[0]);
        } else {
            Files.delete(state);
        }
        assertEquals(Optional.of(shim), run.shim());
        assertTrue(run.runs());
        assertTrue(run.settle(Deadline.in(time, Duration.ofMillis(50))));
        assertThrows(KernelTrouble.class, run::forget);
        assertTrue(run.stop(15, Duration.ofSeconds(10), soon()));
        assertEquals(3, end().code());
        eventually(() -> !run.isAlive(), "the shim goes");
        run.forget();
        assertFalse(Files.exists(directory));
    }

    /** One bit of its number or its start made a shim that runs one that is gone. */
    @Test
    void aShimWhoseRecordSpeaksOfAnother_isKnownByItsLock() throws Exception {
        startTrapping();
        ProcessIdentity shim = run.state().orElseThrow().shim();
        Path state = directory.resolve("state");
        String whole = Files.readString(state);
        for (String changed : List.of(
                whole.replace("shim " + shim.pid(), "shim " + (shim.pid() ^ 1)),
                whole.replace(" " + shim.startTime(), " " + (shim.startTime() ^ 1)))) {
            assertNotEquals(whole, changed);
            Files.writeString(state, changed);
            assertEquals(Optional.of(shim), run.shim());
            assertTrue(run.isAlive());
        }
        Files.writeString(state, whole);
        assertTrue(run.stop(15, Duration.ofSeconds(10), soon()));
        assertEquals(3, end().code());
        eventually(() -> !run.isAlive(), "the shim goes");
    }

    @Test
    void aShimWhoseSocketIsGone_isStoppedAsDescribed() throws Exception {
        startTrapping();
        Files.delete(directory.resolve("socket"));
        assertFalse(run.stop(15, Duration.ofSeconds(10), soon()));
        assertEquals(3, end().code());
        assertTrue(run.stop(15, Duration.ZERO, soon()));
    }

    /** SIGTERM to a shim that is only slow would cut the time that the task has to end. */
    @Test
    void aShimThatIsSlow_isNotStoppedSoonerThanAsked() throws Exception {
        run.start(sh("trap '' TERM; echo up; while :; do sleep 0.02; done"), soon());
        eventually(() -> output().equals("up\n"), "the task ignores SIGTERM");
        ProcessIdentity shim = run.state().orElseThrow().shim();
        processes.signal(shim, 19);
        assertThrows(
                KernelTrouble.class,
                () -> run.stop(15, Duration.ofMinutes(5), Deadline.in(time, Duration.ofMillis(100))));
        processes.signal(shim, 18);
        assertTrue(run.stop(15, Duration.ofMinutes(5), soon()));
        Duration left = run.status(soon()).stopLeft().orElseThrow();
        assertTrue(left.compareTo(Duration.ofMinutes(2)) > 0, left + " are left of 5 minutes");
        run.stop(0, Duration.ZERO, soon());
        assertEquals(9, end().signal());
    }

    @Test
    void aRepeatedStopIsNoSecondSignal() throws Exception {
        run.start(sh("trap 'echo asked' TERM; echo ready; while :; do sleep 0.02; done"), soon());
        eventually(() -> output().equals("ready\n"), "the trap is set");
        run.stop(15, Duration.ofSeconds(30), soon());
        eventually(() -> output().contains("asked"), "the signal arrived");
        run.stop(15, Duration.ofSeconds(20), soon());
        run.stop(15, Duration.ofSeconds(40), soon());
        ShimStatus status = run.status(soon());
        assertEquals(ShimStatus.Phase.STOPPING, status.phase());
        assertTrue(status.stopLeft().orElseThrow().compareTo(Duration.ofSeconds(20)) <= 0);
        run.stop(0, Duration.ofMillis(200), soon());
        assertEquals(9, end().signal());
        assertEquals("ready\nasked\n", output());
    }

    @Test
    void aTaskMayRunAsAnotherUser() throws Exception {
        Root.required("becoming another user");
        run.start(sh("id -u; id -g; id -G; umask", 1, 1000, List.of(65534L, 65534L, 100L)), soon());
        // The working directory belongs to us alone.
        assertEquals(0, end().code());
        assertEquals("65534\n65534\n65534 100\n0022\n", output());
    }

    @Test
    void aDirectoryWithALongPathIsNoTrouble() throws Exception {
        Path deep = root;
        for (int i = 0; i < 5; i++) {
            deep = Files.createDirectory(deep.resolve("x".repeat(60)));
        }
        use(deep.resolve("run"));
        run.start(sh("sleep 300"), soon());
        assertEquals(ShimStatus.Phase.RUNNING, run.status(soon()).phase());
        run.signal(15, soon());
        assertEquals(15, end().signal());
    }

    @Test
    void itsFilesAreItsOwnersOnlyAndItTakesLittleMemory() throws Exception {
        run.start(sh("seq 1 40000; sleep 300"), soon());
        eventually(() -> output().endsWith("40000\n"), "there was output");
        for (String file : List.of("task", "lock", "state", "socket")) {
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(file))),
                    file);
        }
        Path status = Path.of("/proc/" + run.state().orElseThrow().shim().pid() + "/status");
        int resident = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToInt(line -> Integer.parseInt(line.replaceAll("[^0-9]", "")))
                .findFirst()
                .orElseThrow();
        assertTrue(resident <= 1024, resident + " kB resident, at most 1024 are expected");
    }

    @Test
    void nonsenseOnTheSocketHarmsNobodyElse() throws Exception {
        run.start(sh("sleep 300"), soon());
        ShimSocket socket = new ShimSocket(directory);
        try (SocketChannel patient = socket.connect();
                SocketChannel mad = socket.connect()) {
            mad.write(ByteBuffer.wrap(new byte[] {0x7f, 0, 0, 0, 1, 2, 3}));
            assertEquals(-1, mad.read(ByteBuffer.allocate(1)));
            assertThrows(KernelTrouble.class, () -> socket.ask("nonsense", soon()));
            assertThrows(KernelTrouble.class, () -> socket.ask("signal 99", soon()));
            assertThrows(KernelTrouble.class, () -> socket.ask("stop 15", soon()));
            assertEquals(
                    "1 refused the request has version 2, this shim speaks 1",
                    answer(socket, "\0\0\0\u00082 status".getBytes(StandardCharsets.US_ASCII)));
            assertEquals(ShimStatus.Phase.RUNNING, run.status(soon()).phase());
            run.stop(9, Duration.ZERO, soon());
            assertEquals(-1, patient.read(ByteBuffer.allocate(1)));
        }
    }

    private static String answer(ShimSocket socket, byte[] frame) throws Exception {
        try (SocketChannel channel = socket.connect()) {
            channel.write(ByteBuffer.wrap(frame));
            ByteBuffer answer = ByteBuffer.allocate(1000);
            while (answer.position() < 4 || answer.position() < 4 + answer.getInt(0)) {
                assertTrue(channel.read(answer) > 0);
            }
            return new String(answer.array(), 4, answer.getInt(0), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void requestsThatWereEverSentAreUnderstood() throws Exception {
        run.start(sh("trap 'echo ten' USR1; echo ready; while :; do sleep 0.02; done"), soon());
        eventually(() -> output().equals("ready\n"), "the trap is set");
        ShimSocket socket = new ShimSocket(directory);
        for (String request : List.of("status", "signal", "stop")) {
            Path sample = ShimProgram.sample(request + "-request.v1");
            String answer = answer(socket, Files.readAllBytes(sample));
            assertTrue(answer.equals("1 ok") || answer.startsWith("1 ok\n"), answer);
        }
        assertEquals(15, end().signal());
        assertTrue(output().startsWith("ready\n"));
    }

    @Test
    void aTornOrNewerDescriptionRunsNothing() throws Exception {
        byte[] whole = sh("echo ran >> count").encode();
        String text = new String(whole, StandardCharsets.UTF_8);
        for (String bad : List.of(
                text.substring(0, text.length() - 8),
                text.replace("cleat-task 1", "cleat-task 4"),
                text.replace("cwd ", "cvd "),
                text.replace("max_files 2\n10", "max_files 2\n1x"),
                "")) {
            use(root.resolve("run" + bad.hashCode()));
            Files.createDirectory(directory);
            Files.writeString(directory.resolve("task"), bad);
            Process start = new ProcessBuilder(shim.toString(), "run", directory.toString()).start();
            assertEquals(2, start.waitFor(), bad);
            assertFalse(Files.exists(directory.resolve("state")));
        }
        assertFalse(Files.exists(root.resolve("count")));
    }
}
