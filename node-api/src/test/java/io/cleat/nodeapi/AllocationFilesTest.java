package io.cleat.nodeapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.alloc.AllocationDirectory;
import io.cleat.agent.task.TaskRecord;
import io.cleat.agent.task.TaskRunner;
import io.cleat.api.FileEntry;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.http.FileQuery;
import io.cleat.http.PieceReader;
import io.cleat.kernel.FileReads;
import io.cleat.kernel.PathWorkers;
import io.cleat.testkit.ShimProgram;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What can be seen of an allocation's files from outside, and what cannot. */
@Timeout(60)
final class AllocationFilesTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    Path temporary;

    private final SystemTime time = new SystemTime();
    private final Threads threads = Threads.virtual((where, fault) -> System.err.println(where + ": " + fault));
    private Path root = Path.of("/");
    private PathWorkers workers = new PathWorkers(Path.of("false"), threads, time);
    private final AllocationFiles files = new AllocationFiles(new OneAllocation(), time);

    /** The allocation {@code a}. */
    private final class OneAllocation implements LocalNode {
        @Override
        public Optional<AllocationDirectory> directory(String allocId) {
            return allocId.equals("a") ? Optional.of(new AllocationDirectory(root)) : Optional.empty();
        }

        @Override
        public FileReads reads(String allocId) {
            return workers.reads("files");
        }

        @Override
        public boolean collectsLogs(String allocId, String task) {
            return true;
        }

        @Override
        public Optional<TaskRunner> runner(String allocId, String task) {
            return Optional.empty();
        }

        @Override
        public void restartAll(String allocId) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Map<String, TaskRecord>> tasks(String allocId) {
            return Optional.empty();
        }
    }

    @BeforeEach
    void make() throws Exception {
        root = temporary.toRealPath().resolve("a");
        for (String directory : List.of("alloc/data", "alloc/secrets", "t/local", "t/secrets", "t/private")) {
            Files.createDirectories(root.resolve(directory));
        }
        Files.writeString(root.resolve("alloc/data/f"), "0123456789");
        Files.writeString(root.resolve("alloc/secrets/f"), "no secret");
        Files.writeString(root.resolve("t/secrets/f"), "secret");
        Files.writeString(temporary.resolve("outside"), "of the host");
        workers = new PathWorkers(ShimProgram.built(), threads, time);
    }

    @AfterEach
    void stop() {
        workers.close();
    }

    private String refusal(Class<? extends Refusal> kind, String path) {
        Refused refused = assertThrows(Refused.class, () -> all(path), path);
        assertInstanceOf(kind, refused.refusal(), path);
        return refused.refusal().message();
    }

    private String all(String path) throws Exception {
        return all(new FileQuery("a", path, 0, false, Long.MAX_VALUE, false));
    }

    private String all(FileQuery query) throws Exception {
        StringBuilder text = new StringBuilder();
        try (PieceReader reader = files.read(query)) {
            while (reader.next(SOON) instanceof PieceReader.Piece piece) {
                text.append(new String(piece.bytes(), StandardCharsets.UTF_8));
            }
        }
        return text.toString();
    }

    @Test
    void directoriesAndFilesAreToldAsGoPrintsThem() throws Exception {
        Files.setPosixFilePermissions(root.resolve("alloc/data"), PosixFilePermissions.fromString("rwxr-x--x"));
        Files.setAttribute(root.resolve("t/local"), "unix:mode", 01777);
        Files.createSymbolicLink(root.resolve("t/l"), Path.of("local"));
        assertEquals(
                List.of("alloc", "t"),
                files.list("a", "/").stream().map(FileEntry::Name).toList());
        FileEntry data = files.list("a", "alloc").getFirst();
        assertEquals("drwxr-x--x", data.FileMode());
        assertTrue(data.IsDir());
        assertEquals("Lrwxrwxrwx", files.stat("a", "t/l").FileMode());
        assertEquals("dtrwxrwxrwx", files.stat("a", "/t/local/").FileMode());
        FileEntry file = files.stat("a", "alloc/data/f");
        assertEquals("f", file.Name());
        assertEquals(10, file.Size());
        assertEquals("text/plain; charset=utf-8", file.ContentType());
        Files.write(root.resolve("t/local/bin"), new byte[] {0, 1, 2});
        assertEquals("application/octet-stream", files.stat("a", "t/local/bin").ContentType());
        assertEquals("/", files.stat("a", "/").Name());
    }

    @Test
    void anyPartOfAFileIsRead() throws Exception {
        assertEquals("0123456789", all("/alloc/data/f"));
        assertEquals("0123456789", all("alloc/../alloc/./data//f"));
        assertEquals("345", all(new FileQuery("a", "alloc/data/f", 3, false, 3, false)));
        assertEquals("789", all(new FileQuery("a", "alloc/data/f", 3, true, Long.MAX_VALUE, false)));
        assertEquals("0123456789", all(new FileQuery("a", "alloc/data/f", 99, true, Long.MAX_VALUE, false)));
        assertEquals("no secret", all("alloc/secrets/f"));
    }

    @Test
    void nothingIsReadOutsideTheAllocationOrInSecrets() throws Exception {
        Files.createSymbolicLink(root.resolve("alloc/link"), temporary.resolve("outside"));
        Files.createSymbolicLink(root.resolve("alloc/dir"), temporary);
        Files.createSymbolicLink(root.resolve("alloc/s"), root.resolve("t/secrets"));
        for (String path : List.of("..", "../outside", "alloc/../../outside", "/../outside")) {
            assertEquals("Path escapes the alloc directory", refusal(Refusal.Invalid.class, path));
        }
        for (String path : List.of("t/secrets/f", "t/secrets", "/t/./secrets/f", "t/local/../private/x")) {
            refusal(Refusal.Forbidden.class, path);
            assertThrows(Refused.class, () -> files.list("a", path), path);
            assertThrows(Refused.class, () -> files.stat("a", path), path);
        }
        assertTrue(refusal(Refusal.Invalid.class, "alloc/link").contains("symbolic link"));
        for (String path : List.of("alloc/dir/outside", "alloc/s/f")) {
            assertThrows(Trouble.class, () -> all(path), path);
            assertThrows(Trouble.class, () -> files.stat("a", path), path);
        }
        assertThrows(Refused.class, () -> files.list("a", "alloc/dir"));
        refusal(Refusal.NotFound.class, "alloc/absent");
        assertThrows(Refused.class, () -> files.list("b", "/"));
    }

    @Test
    void whatIsNoRegularFileIsNotOpened() throws Exception {
        Process fifo = new ProcessBuilder("mkfifo", root.resolve("alloc/fifo").toString()).start();
        assertEquals(0, fifo.waitFor());
        assertTrue(refusal(Refusal.Invalid.class, "alloc/fifo").contains("not a regular file"));
        assertTrue(refusal(Refusal.Invalid.class, "alloc/data").contains("is a directory"));
        assertEquals("prw-r--r--", files.stat("a", "alloc/fifo").FileMode());
    }

    @Test
    void aFollowerSeesWhatIsAddedCutAndDeleted() throws Exception {
        Path file = root.resolve("alloc/data/f");
        try (PieceReader reader = files.read(new FileQuery("a", "alloc/data/f", 2, true, Long.MAX_VALUE, true))) {
            assertEquals("89", text(reader.next(SOON)));
            assertInstanceOf(PieceReader.Quiet.class, reader.next(Duration.ZERO));
            Files.writeString(file, "abc", StandardOpenOption.APPEND);
            PieceReader.Piece added = assertInstanceOf(PieceReader.Piece.class, reader.next(SOON));
            assertEquals("abc", text(added));
            assertEquals(13, added.offset());
            Files.writeString(file, "new");
            assertEquals(new PieceReader.Changed("alloc/data/f", "file truncated"), reader.next(SOON));
            assertEquals("new", text(reader.next(SOON)));
            // Made before the first goes: a file system may give its number to the next.
            Path another = Files.writeString(root.resolve("alloc/data/g"), "another");
            Files.move(another, file, StandardCopyOption.ATOMIC_MOVE);
            assertEquals(new PieceReader.Changed("alloc/data/f", "file deleted"), reader.next(SOON));
            assertInstanceOf(PieceReader.End.class, reader.next(SOON));
        }
    }

    private static String text(PieceReader.Step step) {
        return new String(assertInstanceOf(PieceReader.Piece.class, step).bytes(), StandardCharsets.UTF_8);
    }
}
