package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.kernel.FileWrites.Owner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writing where a workload makes what it likes: it gets its file, and nobody else does. */
@Timeout(60)
class FileWritesTest {
    private static final Owner PLAIN = new Owner(0640, -1, -1);

    @TempDir
    Path temporary;

    private final SystemTime time = new SystemTime();
    private final Threads threads = Threads.virtual((where, fault) -> System.err.println(where + ": " + fault));
    private Path root = Path.of("/");
    private PathWorkers workers = new PathWorkers(List.of("false"), threads, time);

    @BeforeEach
    void start() throws Exception {
        root = Files.createDirectory(temporary.toRealPath().resolve("root"));
        Files.createDirectory(root.resolve("d"));
    }

    @AfterEach
    void stop() {
        workers.close();
    }

    private void write(String below, byte[] bytes, Owner owner, String... mode) throws Exception {
        workers.close();
        List<String> command = Stream.concat(
                        Stream.of(ShimProgram.built().toString(), "path"),
                        Stream.of(mode).filter(word -> !word.isEmpty()))
                .toList();
        workers = new PathWorkers(command, threads, time);
        workers.writes("files").write(new Place(root, below), bytes, owner, Deadline.in(time, Duration.ofSeconds(20)));
    }

    private List<String> names(String directory) throws IOException {
        try (Stream<Path> names = Files.list(root.resolve(directory))) {
            return names.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 70_000, FileWrites.MOST})
    void everyByteIsWrittenAsItIs(int size) throws Exception {
        byte[] bytes = new byte[size];
        new Random(7).nextBytes(bytes);
        write("d/f", bytes, PLAIN);
        assertArrayEquals(bytes, Files.readAllBytes(root.resolve("d/f")));
        assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(root.resolve("d/f"))));
        assertEquals(List.of("f"), names("d"));
    }

    @Test
    void whatIsTooLongIsRefused() {
        KernelTrouble trouble =
                assertThrows(KernelTrouble.class, () -> write("d/f", new byte[FileWrites.MOST + 1], PLAIN));
        assertTrue(trouble.reason().contains("the most is 4194304"), trouble.reason());
    }

    /** Neither what a link leads to nor what a hard link shares is written to. */
    @Test
    void aLinkInItsPlaceIsReplaced() throws Exception {
        Path outside = temporary.resolve("outside");
        Files.writeString(outside, "of the host");
        Files.createSymbolicLink(root.resolve("d/soft"), outside);
        Files.createLink(root.resolve("d/hard"), outside);
        write("d/soft", new byte[] {'a'}, PLAIN);
        write("d/hard", new byte[] {'b'}, PLAIN);
        assertEquals("of the host", Files.readString(outside));
        assertFalse(Files.isSymbolicLink(root.resolve("d/soft")));
        assertEquals("a", Files.readString(root.resolve("d/soft")));
        assertEquals("b", Files.readString(root.resolve("d/hard")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "walk"})
    void aLinkOnTheWayIsNotFollowed(String mode) throws Exception {
        Path outside = Files.createDirectory(temporary.resolve("outside"));
        Files.createSymbolicLink(root.resolve("way"), outside);
        assertThrows(KernelTrouble.class, () -> write("way/f", new byte[] {'a'}, PLAIN, mode));
        assertFalse(Files.exists(outside.resolve("f"), LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void aDirectoryInItsPlaceStaysAndNothingIsLeftBeside() throws Exception {
        assertThrows(KernelTrouble.class, () -> write("d", new byte[] {'a'}, PLAIN));
        assertEquals(List.of(), names("d"));
        assertEquals(List.of("d"), names(""));
    }

    @Test
    void aModeThatWouldMakeWhoExecutesItAnotherUser_losesThoseBits() throws Exception {
        write("d/f", new byte[] {'a'}, new Owner(06755, -1, -1));
        assertEquals(0100755, Files.getAttribute(root.resolve("d/f"), "unix:mode"));
    }

    @Test
    void itBelongsToWhomItIsFor() throws Exception {
        org.junit.jupiter.api.Assumptions.assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "reason: only root gives files away");
        write("d/f", new byte[] {'a'}, new Owner(0600, 1234, 56));
        assertEquals(1234, Files.getAttribute(root.resolve("d/f"), "unix:uid"));
        assertEquals(56, Files.getAttribute(root.resolve("d/f"), "unix:gid"));
    }
}
