package io.cleat.agent.artifact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.cleat.agent.artifact.Artifacts.Owner;
import io.cleat.agent.artifact.Artifacts.Wanted;
import io.cleat.artifact.AddressRange;
import io.cleat.artifact.Artifact;
import io.cleat.artifact.Confinement;
import io.cleat.artifact.FetchLimits;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.kernel.FileWrites;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Place;
import io.cleat.model.TaskArtifact;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.ShimProgram;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Artifacts on their whole way: the confined process, and the move to the task. */
@Timeout(120)
final class ConfinedArtifactsTest {
    private static final Threads THREADS = Threads.virtual((where, fault) -> System.err.println(where + ": " + fault));

    private static final long USER = Confinement.USUAL_USER;
    private static final long DISK = 300 << 20;

    @TempDir
    Path temporary;

    private Path work = Path.of("/");
    private Path task = Path.of("/");
    private Path shim = Path.of("/");
    private PathWorkers workers = new PathWorkers(Path.of("/"), THREADS, new SystemTime());

    @BeforeEach
    void begin() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: a mount namespace needs root, and the tests run as another user");
        Path real = temporary.toRealPath();
        work = Files.createDirectory(real.resolve("work"));
        task = Files.createDirectories(real.resolve("alloc/t/local"));
        shim = ShimProgram.built();
        workers = new PathWorkers(shim, THREADS, new SystemTime());
    }

    @AfterEach
    void end() {
        workers.close();
    }

    private Place place(String below) {
        return new Place(temporary.resolve("alloc").toAbsolutePath(), below);
    }

    private Wanted wanted(String source, String destination, boolean isFile, Owner... owner) {
        return new Wanted(
                new Artifact(
                        source, Map.of(), Map.of(), isFile ? TaskArtifact.Mode.FILE : TaskArtifact.Mode.ANY, false),
                place(destination),
                isFile,
                owner.length == 0 ? Optional.empty() : Optional.of(owner[0]));
    }

    @Test
    void filesArriveWhereTheyAreWantedAndNothingIsLeft() throws Exception {
        Path outside = Files.createDirectory(temporary.resolve("outside"));
        Files.createSymbolicLink(task.resolve("way"), outside);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        try (ZipOutputStream packed = new ZipOutputStream(zip)) {
            packed.putNextEntry(new ZipEntry("d/f"));
            packed.write("packed".getBytes(UTF_8));
        }
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, zip.size());
                exchange.getResponseBody().write(zip.toByteArray());
            }
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            ConfinedArtifacts artifacts = new ConfinedArtifacts(
                    work,
                    ConfinedArtifacts.Settings.allowing(
                            List.of(AddressRange.parse("127.0.0.0/8").orElseThrow())),
                    shim,
                    workers,
                    THREADS,
                    new SystemTime(),
                    Ids.random());
            List<Optional<String>> results = artifacts
                    .begin(
                            List.of(
                                    wanted(url + "/a.zip", "t/local", false),
                                    wanted(url + "/a.zip", "t/local/own", false, new Owner(1234, 56)),
                                    wanted(url + "/plain", "t/local/as/named", true),
                                    wanted(url + "/a.zip", "t/local/way", false)),
                            DISK)
                    .await();
            for (int i = 0; i < 3; i++) {
                assertEquals(Optional.empty(), results.get(i));
            }
            String over = results.get(3).orElseThrow();
            assertTrue(over.contains("cannot be put at its destination"), over);
            assertEquals("packed", Files.readString(task.resolve("d/f")));
            assertTrue(Files.isRegularFile(task.resolve("as/named")));
            for (String own : List.of("own", "own/d", "own/d/f")) {
                assertEquals(1234, Files.getAttribute(task.resolve(own), "unix:uid", LinkOption.NOFOLLOW_LINKS));
            }
            for (String ours : List.of("d", "d/f", "as", "as/named")) {
                assertEquals(0, Files.getAttribute(task.resolve(ours), "unix:uid", LinkOption.NOFOLLOW_LINKS));
            }
            assertEquals(0, outside.toFile().list().length);
            assertEquals(0, work.toFile().list().length);
        } finally {
            server.stop(0);
        }
    }

    /** Or a volume could not be detached while anything is fetched. */
    @Test
    void noMountThatItDoesNotNeedIsHeldByIt() throws Exception {
        Path volume = Files.createDirectory(temporary.toRealPath().resolve("a volume"));
        Place place = Place.of(temporary.toRealPath(), volume);
        Deadline deadline = Deadline.in(new SystemTime(), Duration.ofSeconds(60));
        workers.of("test").mountMemory(place, 1 << 20, new FileWrites.Owner(0777, -1, -1), deadline);
        try {
            Files.writeString(volume.resolve("f"), "of the volume");
            String said = confined("ls '" + volume + "' 2>/dev/null; cat /proc/self/mountinfo");
            assertFalse(said.contains("volume"), said);
            assertTrue(said.contains(" / / "), said);
        } finally {
            workers.of("test").unmount(place, deadline);
        }
    }

    /** What a script says that may write only where things are fetched. */
    private String confined(String script) throws Exception {
        Process process = begun(script);
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), said);
        return said;
    }

    private Process begun(String script) throws Exception {
        return new ProcessBuilder(
                        shim.toString(),
                        "confine",
                        Long.toString(USER),
                        Integer.toString(1 << 20),
                        work.toString(),
                        "--",
                        "/bin/sh",
                        "-c",
                        script)
                .redirectErrorStream(true)
                .start();
    }

    /** Whatever runs there: this is what the kernel keeps it from. */
    @Test
    void whatFetchesMayWriteNowhereElse() throws Exception {
        Path other = Files.createDirectory(temporary.toRealPath().resolve("other"));
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwxrwxrwx"));
        String said = confined("echo in >mine; chmod 755 mine; echo out >"
                + other
                + "/out; mkdir -p "
                + other
                + "/d; mount -t tmpfs x /usr; mount -o remount,rw,bind /;"
                + " echo out >/out; echo out >/usr/out; echo out >/etc/hosts;"
                + " mknod dev c 1 3; chown 5 mine; ./mine && echo ran >ran;"
                + " trap '' XFSZ; yes | head -c 3000000 >large; echo end >end");
        assertEquals("in\n", Files.readString(work.resolve("mine")));
        assertEquals((int) USER, Files.getAttribute(work.resolve("mine"), "unix:uid"));
        assertTrue(Files.exists(work.resolve("end")), said);
        assertFalse(Files.exists(work.resolve("ran")), said);
        assertFalse(Files.exists(work.resolve("dev")), said);
        assertEquals(1 << 20, Files.size(work.resolve("large")), said);
        assertEquals(0, other.toFile().list().length, said);
    }

    /** It had the capability to read each file of the machine. */
    @Test
    void whatFetchesHasNoCapabilityAndSeesNoFileOrProcessOfTheMachine() throws Exception {
        Path secret = Files.writeString(temporary.toRealPath().resolve("secret"), "SECRET");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
        long own = ProcessHandle.current().pid();
        String said = confined("cat /etc/shadow /proc/1/root/etc/shadow "
                + secret
                + "; ls /root /var /run /sys /alloc; ls / /home; id -u; id -g; kill -0 "
                + own
                + " && echo SIGNALLED; ls -d /proc/[0-9]* | wc -l;"
                + " grep -E '^(Cap|Groups|NoNewPrivs)' /proc/self/status;"
                + " ls /dev; env");
        assertFalse(said.contains("root:"), said);
        assertFalse(said.contains("SECRET"), said);
        assertFalse(said.contains("SIGNALLED"), said);
        assertTrue(said.contains("\n" + USER + "\n" + USER + "\n"), said);
        assertEquals(
                5, said.lines().filter(line -> line.matches("Cap...:\\s+0{16}")).count(), said);
        assertTrue(said.contains("NoNewPrivs:\t1"), said);
        assertTrue(said.lines().anyMatch(line -> line.strip().equals("Groups:")), said);
        for (String absent : List.of("/root", "/var", "/run", "/sys", "/alloc")) {
            assertTrue(said.contains("'" + absent + "': No such file"), absent + ": " + said);
        }
        assertTrue(said.contains("null\nrandom\nurandom\n"), said);
    }

    /** It had left what it started, such as ssh, to itself. */
    @Test
    void withItsEndAllEndsThatItHasStarted() throws Exception {
        String mark = "98" + Math.abs(temporary.hashCode() % 100_000);
        for (boolean closed : new boolean[] {false, true}) {
            Files.setAttribute(work, "unix:uid", 0);
            Process process = begun("sleep " + mark + " & sleep " + mark + " & echo on; wait");
            assertEquals('o', process.getInputStream().read());
            Eventually.holds(() -> sleeping(mark) == 2, "both are the programs they will be");
            if (closed) {
                // As when the agent ends, however it does.
                process.getOutputStream().close();
            } else {
                process.destroy();
            }
            assertEquals(128 + 9, process.waitFor());
            assertEquals(0, sleeping(mark));
        }
    }

    private static long sleeping(String mark) {
        return ProcessHandle.allProcesses()
                .filter(one -> one.info()
                        .commandLine()
                        .filter(line -> line.endsWith("sleep " + mark))
                        .isPresent())
                .count();
    }

    /** A process that ends before it has read all of its order has said why, and that is read. */
    @Test
    void whatKeepsItFromBeingConfinedIsSaidBeforeItsOrderIsRead() throws Exception {
        Path closed = Files.createDirectory(temporary.toRealPath().resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        // More than a pipe holds.
        List<Artifacts.Wanted> many =
                Collections.nCopies(2_000, wanted(closed + "/" + "f".repeat(100), "t/local", false));
        List<Optional<String>> results = readsOf(closed).begin(many, DISK).await();
        assertEquals(many.size(), results.size());
        String words = results.getFirst().orElseThrow();
        assertTrue(words.contains("could not be confined: reading " + closed), words);
    }

    private ConfinedArtifacts readsOf(Path directory) {
        return new ConfinedArtifacts(
                work,
                new ConfinedArtifacts.Settings(List.of(directory), List.of(), FetchLimits.standard(), USER),
                shim,
                workers,
                THREADS,
                new SystemTime(),
                Ids.random());
    }

    /** A path that its user cannot read is named, and nobody reads it in its stead. */
    @Test
    void whatTheUserThatFetchesMayNotReadIsSaidSo() throws Exception {
        Path closed = Files.createDirectory(temporary.toRealPath().resolve("closed"));
        Files.writeString(closed.resolve("f"), "x");
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        ConfinedArtifacts artifacts = readsOf(closed);
        List<Optional<String>> results = artifacts
                .begin(List.of(wanted(closed + "/f", "t/local", false)), DISK)
                .await();
        String words = results.getFirst().orElseThrow();
        assertTrue(words.contains("could not be confined: reading " + closed), words);
        assertTrue(words.contains("Permission denied"), words);
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-xr-x"));
        results = artifacts
                .begin(List.of(wanted(closed + "/f", "t/local", false)), DISK)
                .await();
        assertEquals(Optional.empty(), results.getFirst());
        assertEquals("x", Files.readString(task.resolve("f")));
    }

    @Test
    void moreThanTheDiskOfTheTaskIsNotTaken() throws Exception {
        Path open = Files.createDirectory(temporary.toRealPath().resolve("open"));
        Files.write(open.resolve("f"), new byte[2 << 20]);
        ConfinedArtifacts artifacts = readsOf(open);
        String words = artifacts
                .begin(List.of(wanted(open + "/f", "t/local", false)), 1 << 20)
                .await()
                .getFirst()
                .orElseThrow();
        assertTrue(words.contains("1048576 bytes, the disk of its group"), words);
        assertFalse(Files.exists(task.resolve("f")));
    }
}
