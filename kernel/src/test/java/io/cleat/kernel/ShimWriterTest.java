package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.SystemTime;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The processes that keep a task's output beside its shim: what they cost, and what stops them. */
@Timeout(120)
class ShimWriterTest {
    private static final long MEBI = 1 << 20;
    private static final String UNTIL_GO = "; while [ ! -e go ]; do sleep 0.02; done; ";

    private final SystemTime time = new SystemTime();
    private final Processes processes = Processes.linux();

    @TempDir
    Path temporary;

    private Path root = Path.of("/");
    private Path logs = root;
    private boolean disk;
    private ShimRun run = new ShimRun(root, root, processes, time);

    @BeforeEach
    void prepare() throws Exception {
        root = temporary.toRealPath();
        logs = Files.createDirectory(root.resolve("logs"));
        run = new ShimRun(ShimProgram.built(), root.resolve("run"), processes, time);
    }

    @AfterEach
    void end() throws Exception {
        if (disk) {
            thaw();
        }
        if (run.runs()) {
            run.stop(9, Duration.ZERO, soon());
            run.awaitEnd();
        }
        if (disk) {
            eventually(() -> call("umount", logs.toString()) == 0, "the disk is let go");
        }
    }

    private Deadline soon() {
        return Deadline.in(time, Duration.ofSeconds(20));
    }

    private void start(String script, List<Path> cgroups, List<Path> shimCgroups) throws Exception {
        run.start(
                new ShimDescription(
                        new ShimDescription.Command(
                                Path.of("/bin/sh"),
                                List.of("-c", script),
                                Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"),
                                root,
                                List.of()),
                        "web",
                        Optional.of(logs),
                        1000,
                        MEBI,
                        15,
                        Duration.ofMillis(200),
                        cgroups,
                        shimCgroups),
                soon());
    }

    private void start(String script) throws Exception {
        start(script, List.of(), List.of());
    }

    private void go() throws IOException {
        Files.writeString(root.resolve("go"), "");
    }

    private interface Fact {
        boolean holds() throws Exception;
    }

    private static void eventually(Fact fact, String what) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!fact.holds()) {
            assertTrue(System.nanoTime() - end < 0, "not within 60 s: " + what);
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    private void told() throws Exception {
        eventually(() -> Files.exists(root.resolve("told")), "the task came past its output");
    }

    private long shim() throws Exception {
        return run.state().orElseThrow().shim().pid();
    }

    /** Those that keep output now. */
    private List<Long> writers() throws Exception {
        return ProcessHandle.of(shim())
                .orElseThrow()
                .children()
                .map(ProcessHandle::pid)
                .filter(pid -> status(pid).startsWith("Name:\tshim-output\n"))
                .toList();
    }

    private boolean endsWithTheLast() throws IOException {
        int newest = 0;
        while (Files.exists(logs.resolve("web.stdout." + (newest + 1)))) {
            newest++;
        }
        try (RandomAccessFile file =
                new RandomAccessFile(logs.resolve("web.stdout." + newest).toFile(), "r")) {
            byte[] end = new byte["last\n".length()];
            file.seek(Math.max(0, file.length() - end.length));
            file.readFully(end);
            return new String(end, StandardCharsets.ISO_8859_1).equals("last\n");
        }
    }

    private static String status(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/status"));
        } catch (IOException gone) {
            return "";
        }
    }

    private String output() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; Files.exists(logs.resolve("web.stdout." + i)); i++) {
            text.append(Files.readString(logs.resolve("web.stdout." + i), StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }

    /** As the scheduler counts it: what the clock's ticks happen to meet is too coarse for a moment's work. */
    private static long processorNanos(long pid) throws IOException {
        return Long.parseLong(
                Files.readString(Path.of("/proc/" + pid + "/schedstat")).split(" ", 2)[0]);
    }

    private static int call(String... command) throws Exception {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private static void can(String... command) throws Exception {
        int code = call(command);
        Assumptions.assumeTrue(code == 0, "reason: " + String.join(" ", command) + " fails on this machine");
    }

    /** The logs are on a disk of their own from here on, which {@code fsfreeze} makes hang. */
    private void mountDisk() throws Exception {
        Root.required("mounting");
        Path image = root.resolve("image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(32 * MEBI);
        }
        can("mkfs.ext4", "-q", image.toString());
        can("mount", "-o", "loop", image.toString(), logs.toString());
        disk = true;
    }

    /** The logs are in memory from here on: a disk that is busy with other things would drop lines. */
    private void mountMemory() throws Exception {
        Root.required("mounting");
        can("mount", "-t", "tmpfs", "-o", "size=256m", "none", logs.toString());
        disk = true;
    }

    private void freeze() throws Exception {
        can("fsfreeze", "-f", logs.toString());
    }

    private void thaw() throws Exception {
        call("fsfreeze", "-u", logs.toString());
    }

    @Test
    void aDiskThatHangs_holdsUpNeitherStatusNorSignalNorStopNorTheTask() throws Exception {
        mountDisk();
        start("trap 'exit 7' USR1; echo ready" + UNTIL_GO + "seq 1 500000; >told; while :; do sleep 0.02; done");
        eventually(() -> output().equals("ready\n"), "output is kept");
        freeze();
        go();
        eventually(() -> hangs(writers()), "a writer waits for the disk");
        assertEquals(ShimStatus.Phase.RUNNING, run.status(soon()).phase());
        told();
        eventually(() -> run.status(soon()).droppedBytes() > 3_000_000, "it is counted");
        assertEquals(2, writers().size());
        assertEquals(1, run.status(soon()).processes());
        run.signal(10, soon());
        ShimExit exit = run.awaitEnd().orElseThrow();
        assertEquals(7, exit.code());
        assertEquals(3_388_895, exit.droppedBytes());
    }

    private static boolean hangs(List<Long> pids) {
        return pids.stream().anyMatch(pid -> status(pid).contains("\nState:\tD"));
    }

    @Test
    void aDiskThatAnswersAgain_keepsWhatComesThenInOrder() throws Exception {
        mountDisk();
        start("echo ready" + UNTIL_GO + "seq 1 500000; rm go; >told" + UNTIL_GO + "echo last");
        eventually(() -> output().equals("ready\n"), "output is kept");
        freeze();
        go();
        told();
        thaw();
        eventually(() -> writers().size() <= 1, "the one that drops has ended");
        go();
        ShimExit exit = run.awaitEnd().orElseThrow();
        assertEquals(0, exit.code());
        String kept = output();
        assertTrue(kept.startsWith("ready\n1\n2\n3\n"), kept);
        assertTrue(kept.endsWith("last\n"), kept);
        assertEquals("ready\n".length() + 3_388_895 + "last\n".length(), all(exit, kept));
    }

    private static long all(ShimExit exit, String kept) {
        return exit.droppedBytes() + kept.length();
    }

    @Test
    void aFlood_isChargedToWhoMakesItAndItsLinesBeyondTheRateAreDroppedWhole() throws Exception {
        Root.required("making control groups");
        mountMemory();
        Cgroups groups = Cgroups.linux("cleat-test-" + shimTestName(), time);
        Cgroups.Group task = groups.create("task");
        Cgroups.Group shims = groups.create("shims");
        try {
            // 400 MB in lines of 40 bytes.
            String line = "a line that stays in one piece 12345678";
            start(
                    "yes '" + line + "' | head -c 400000000; >told; sleep 1; echo last" + UNTIL_GO,
                    task.directories(),
                    shims.directories());
            told();
            // Before what is kept is read, which may take longer than a writer stays without
            // output.
            eventually(() -> writers().size() == 1, "one writes, whatever there is");
            if (task.stats().cpuSystemNanos().isPresent()) {
                long writer = writers().getFirst();
                Cgroups.Stats stats = task.stats();
                long ofTask =
                        stats.cpuUserNanos().orElse(0) + stats.cpuSystemNanos().orElse(0);
                long ofShim = processorNanos(shim());
                long ofWriter = processorNanos(writer);
                assertTrue(ofShim * 20 < ofWriter, ofShim + " beside " + ofWriter);
                assertTrue(ofTask > ofWriter, ofTask + " with " + ofWriter);
                assertTrue(task.processes().contains(writer));
            }
            long dropped = run.status(soon()).droppedBytes();
            assertTrue(dropped > 100_000_000, dropped + " bytes are dropped");
            eventually(this::endsWithTheLast, "what comes later is kept");
            go();
            ShimExit exit = run.awaitEnd().orElseThrow();
            String kept = output();
            assertEquals(400_000_000L + "last\n".length(), all(exit, kept));
            assertTrue(kept.length() >= 100 * MEBI, kept.length() + " bytes are kept");
            String lines = kept.substring(0, kept.length() - "last\n".length());
            assertEquals(0, lines.length() % (line.length() + 1));
            for (int i = 0; i < lines.length(); i += line.length() + 1) {
                assertTrue(lines.startsWith(line + "\n", i), () -> "not a whole line");
            }
        } finally {
            run.stop(9, Duration.ZERO, soon());
            run.awaitEnd();
            eventually(() -> !run.isAlive(), "the shim goes");
            for (Cgroups.Group group : List.of(task, shims)) {
                group.remove(soon());
            }
            assertTrue(groups.removeParent());
        }
    }

    private static String shimTestName() {
        return ProcessHandle.current().pid() + "-" + System.nanoTime();
    }

    @Test
    void aWriterThatIsKilled_isFollowedByAnother() throws Exception {
        start("echo one" + UNTIL_GO + "seq 1 100000; echo last");
        eventually(() -> output().equals("one\n"), "output is kept");
        long first = writers().getFirst();
        assertTrue(processes.signal(processes.identify(first).orElseThrow(), Processes.SIGKILL));
        go();
        assertEquals(0, run.awaitEnd().orElseThrow().droppedBytes());
        assertTrue(output().startsWith("one\n1\n2\n"));
        assertTrue(output().endsWith("\n100000\nlast\n"));
    }

    @Test
    void aWriter_isThereWhileThereIsOutputAndHasNothingItDoesNotNeed() throws Exception {
        start("echo said" + UNTIL_GO + "rm go; echo again" + UNTIL_GO);
        eventually(() -> output().equals("said\n"), "output is kept");
        long writer = writers().getFirst();
        String status = status(writer);
        assertTrue(status.contains("\nCapPrm:\t0000000000000000\n"), status);
        assertTrue(status.contains("\nCapEff:\t0000000000000000\n"), status);
        assertTrue(status.contains("\nNoNewPrivs:\t1\n"), status);
        try (var open = Files.list(Path.of("/proc/" + writer + "/fd"))) {
            for (Path each : open.toList()) {
                String target = Files.readSymbolicLink(each).toString();
                assertFalse(target.startsWith(root.resolve("run").toString()), target);
            }
        }
        String memory = Files.readString(Path.of("/proc/" + writer + "/smaps_rollup"));
        long own = Long.parseLong(memory.replaceAll("(?s).*\nPrivate_Dirty:\\s*(\\d+) kB.*", "$1"));
        assertTrue(own <= 128, own + " kB of its own, at most 128 are expected");
        eventually(() -> writers().isEmpty(), "nothing is said, and nobody waits for it");
        eventually(() -> processes.identify(writer).isEmpty(), "and it is gone");
        go();
        eventually(() -> output().equals("said\nagain\n"), "another one keeps what comes later");
        assertEquals(ShimStatus.Phase.RUNNING, run.status(soon()).phase());
    }
}
