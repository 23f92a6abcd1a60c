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
import io.cleat.artifact.FetchLimits;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.kernel.FileWrites;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Place;
import io.cleat.model.TaskArtifact;
import io.cleat.testkit.ShimProgram;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
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
    private static final Threads THREADS =
            Threads.virtual((where, fault) -> System.err.println(where + ": " + fault));

    @TempDir Path temporary;
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
                        source,
                        Map.of(),
                        Map.of(),
                        isFile ? TaskArtifact.Mode.FILE : TaskArtifact.Mode.ANY,
                        false),
                place(destination),
                isFile,
                owner.length == 0 ? Optional.empty() : Optional.of(owner[0]));
    }

    @Test
    void filesArriveWhereTheyAreWantedAndNothingIsLeft() throws Exception {
        Path outside = Files.createDirectory(temporary.resolve("outside"));
        Files.createSymbolicLink(task.resolve("way"), outside);
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ByteArrayOutputStream zip = new ByteArrayOutputStream();
        try (ZipOutputStream packed = new ZipOutputStream(zip)) {
            packed.putNextEntry(new ZipEntry("d/f"));
            packed.write("packed".getBytes(UTF_8));
        }
        server.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        exchange.sendResponseHeaders(200, zip.size());
                        exchange.getResponseBody().write(zip.toByteArray());
                    }
                });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            ConfinedArtifacts artifacts =
                    new ConfinedArtifacts(
                            work,
                            new ConfinedArtifacts.Settings(
                                    List.of(),
                                    List.of(AddressRange.parse("127.0.0.0/8").orElseThrow()),
                                    FetchLimits.standard()),
                            shim,
                            workers,
                            THREADS,
                            new SystemTime(),
                            Ids.random());
            List<Optional<String>> results =
                    artifacts
                            .begin(
                                    List.of(
                                            wanted(url + "/a.zip", "t/local", false),
                                            wanted(
                                                    url + "/a.zip",
                                                    "t/local/own",
                                                    false,
                                                    new Owner(1234, 56)),
                                            wanted(url + "/plain", "t/local/as/named", true),
                                            wanted(url + "/a.zip", "t/local/way", false)))
                            .await();
            for (int i = 0; i < 3; i++) {
                assertEquals(Optional.empty(), results.get(i));
            }
            String over = results.get(3).orElseThrow();
            assertTrue(over.contains("cannot be put at its destination"), over);
            assertEquals("packed", Files.readString(task.resolve("d/f")));
            assertTrue(Files.isRegularFile(task.resolve("as/named")));
            for (String own : List.of("own", "own/d", "own/d/f")) {
                assertEquals(
                        1234,
                        Files.getAttribute(
                                task.resolve(own), "unix:uid", LinkOption.NOFOLLOW_LINKS));
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
        workers.of("test")
                .mountMemory(place, 1 << 20, new FileWrites.Owner(0777, -1, -1), deadline);
        try {
            Files.writeString(volume.resolve("f"), "of the volume");
            String said = confined("ls '" + volume + "'; cat /proc/self/mountinfo");
            assertFalse(said.contains("volume"), said);
            assertTrue(said.contains(" / / "), said);
        } finally {
            workers.of("test").unmount(place, deadline);
        }
    }

    /** What a script says that may write only where things are fetched. */
    private String confined(String script) throws Exception {
        Process process =
                new ProcessBuilder(
                                shim.toString(),
                                "confine",
                                work.toString(),
                                "/bin/sh",
                                "-c",
                                script)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(0, process.waitFor(), said);
        return said;
    }

    /** Whatever runs there: this is what the kernel keeps it from. */
    @Test
    void whatFetchesMayWriteNowhereElseAndHasLostWhatRootMayDo() throws Exception {
        Path other = Files.createDirectory(temporary.resolve("other"));
        String said =
                confined(
                        "echo in >mine; chmod 755 mine; echo out >"
                                + other
                                + "/out; mkdir "
                                + other
                                + "/d; mount -t tmpfs x "
                                + other
                                + "; mount -o remount,rw,bind /; mknod dev c 1 3;"
                                + " chown 5 mine; ./mine && echo ran >ran; echo end >end");
        assertEquals("in\n", Files.readString(work.resolve("mine")));
        assertEquals(0, Files.getAttribute(work.resolve("mine"), "unix:uid"));
        assertTrue(Files.exists(work.resolve("end")), said);
        assertFalse(Files.exists(work.resolve("ran")), said);
        assertFalse(Files.exists(work.resolve("dev")), said);
        assertEquals(0, other.toFile().list().length, said);
    }
}
