package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Moving files to where a workload makes what it likes. */
@Timeout(60)
class TreeMovesTest {
    private static final Path OTHER_FILE_SYSTEM = Path.of("/dev/shm");

    @TempDir
    Path temporary;

    private final SystemTime time = new SystemTime();
    private final Threads threads = Threads.virtual((where, fault) -> System.err.println(where + ": " + fault));
    private Path from = Path.of("/");
    private Path to = Path.of("/");
    private PathWorkers workers = new PathWorkers(List.of("false"), threads, time);

    @BeforeEach
    void start() throws Exception {
        from = Files.createDirectory(temporary.toRealPath().resolve("from"));
        to = Files.createDirectory(temporary.toRealPath().resolve("to"));
        Files.createDirectories(from.resolve("tree/d"));
        Files.writeString(from.resolve("tree/d/f"), "new");
        Files.writeString(from.resolve("tree/top"), "new");
        Files.createSymbolicLink(from.resolve("tree/link"), Path.of("d/f"));
        mode("");
    }

    private void mode(String mode) throws Exception {
        workers.close();
        String shim = ShimProgram.built().toString();
        workers = new PathWorkers(mode.isEmpty() ? List.of(shim, "path") : List.of(shim, "path", mode), threads, time);
    }

    @AfterEach
    void stop() {
        workers.close();
    }

    private void entries(String below) throws Exception {
        workers.moves("moves")
                .entries(new Place(from, "tree"), new Place(to, below), Deadline.in(time, Duration.ofSeconds(20)));
    }

    private void file(String below) throws Exception {
        workers.moves("moves")
                .file(new Place(from, "tree/top"), new Place(to, below), Deadline.in(time, Duration.ofSeconds(20)));
    }

    @Test
    void aTreeThatHasThePlaceToItselfArrivesAsItIs() throws Exception {
        Files.setPosixFilePermissions(from.resolve("tree"), PosixFilePermissions.fromString("rwx------"));
        entries("a/b");
        assertEquals("new", Files.readString(to.resolve("a/b/link")));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(to.resolve("a/b"))));
        assertFalse(Files.exists(from.resolve("tree")));
    }

    @Test
    void aTreeComesBesideWhatIsThereAndReplacesFilesOfItsNames() throws Exception {
        Files.createDirectories(to.resolve("a/d"));
        Files.writeString(to.resolve("a/d/kept"), "old");
        Files.writeString(to.resolve("a/d/f"), "old");
        Path outside = Files.writeString(temporary.resolve("outside"), "of the host");
        Files.createSymbolicLink(to.resolve("a/top"), outside);
        Files.setPosixFilePermissions(to.resolve("a"), PosixFilePermissions.fromString("rwxrwxrwx"));
        entries("a");
        assertEquals("new", Files.readString(to.resolve("a/d/f")));
        assertEquals("old", Files.readString(to.resolve("a/d/kept")));
        assertFalse(Files.isSymbolicLink(to.resolve("a/top")));
        assertEquals("of the host", Files.readString(outside));
        assertEquals("rwxrwxrwx", PosixFilePermissions.toString(Files.getPosixFilePermissions(to.resolve("a"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "walk"})
    void aLinkOnTheWayIsNotFollowed(String mode) throws Exception {
        mode(mode);
        Path outside = Files.createDirectory(temporary.resolve("outside"));
        Files.createDirectory(to.resolve("a"));
        Files.createSymbolicLink(to.resolve("way"), outside);
        Files.createSymbolicLink(to.resolve("a/d"), outside);
        assertThrows(KernelTrouble.class, () -> entries("way"));
        assertThrows(KernelTrouble.class, () -> entries("way/in"));
        assertThrows(KernelTrouble.class, () -> file("way/f"));
        KernelTrouble taken = assertThrows(KernelTrouble.class, () -> entries("a"));
        assertTrue(taken.reason().contains("choose another destination"), taken.reason());
        assertEquals(0, outside.toFile().list().length);
    }

    @Test
    void aDirectoryAndAFileDoNotTakeEachOthersPlace() throws Exception {
        Files.createDirectories(to.resolve("a/top"));
        KernelTrouble overDirectory = assertThrows(KernelTrouble.class, () -> file("a/top"));
        assertTrue(overDirectory.reason().contains("a directory is there"));
        Files.delete(to.resolve("a/top"));
        Files.writeString(to.resolve("a/d"), "file");
        KernelTrouble overFile = assertThrows(KernelTrouble.class, () -> entries("a"));
        assertTrue(overFile.reason().contains("\"a/d\" is to be a directory"));
    }

    @Test
    void anotherFileSystemGetsCopies() throws Exception {
        Path other = other();
        try {
            Path before = to;
            to = other;
            boolean isRoot = Files.getAttribute(from, "unix:uid").equals(0);
            Files.setPosixFilePermissions(from.resolve("tree/d"), PosixFilePermissions.fromString("r-xr-x---"));
            if (isRoot) {
                Files.setAttribute(from.resolve("tree/d"), "unix:uid", 4242);
            }
            entries("a");
            assertEquals(040550, Files.getAttribute(other.resolve("a/d"), "unix:mode"));
            assertEquals(
                    isRoot ? 4242 : Files.getAttribute(from, "unix:uid"),
                    Files.getAttribute(other.resolve("a/d"), "unix:uid"));
            assertEquals("new", Files.readString(other.resolve("a/d/f")));
            assertEquals(Path.of("d/f"), Files.readSymbolicLink(other.resolve("a/link")));
            assertFalse(Files.exists(from.resolve("tree/d/f"), LinkOption.NOFOLLOW_LINKS));
            to = before;
        } finally {
            try (PathWorkers own = new PathWorkers(ShimProgram.built(), threads, time)) {
                new SafeRemove(own, "test", MountTable::read)
                        .tree(Place.of(OTHER_FILE_SYSTEM, other), Deadline.in(time, Duration.ofSeconds(20)));
            }
        }
    }

    private Path other() throws IOException {
        org.junit.jupiter.api.Assumptions.assumeTrue(
                Files.isWritable(OTHER_FILE_SYSTEM)
                        && !Files.getFileStore(OTHER_FILE_SYSTEM).equals(Files.getFileStore(temporary)),
                "reason: no second file system to move to");
        return Files.createTempDirectory(OTHER_FILE_SYSTEM, "moves");
    }
}
