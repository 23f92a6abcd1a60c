package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reading what a workload made: it decides what is there, not what is read. */
@Timeout(60)
class FileReadsTest {
    private static final String SECRET = "of the host";

    @TempDir
    Path temporary;

    private final SystemTime time = new SystemTime();
    private final Threads threads = Threads.virtual((where, fault) -> System.err.println(where + ": " + fault));
    private Path root = Path.of("/");
    private Path outside = Path.of("/");
    private PathWorkers workers = new PathWorkers(List.of("false"), threads, time);
    private FileReads reads = workers.reads("none");

    @BeforeEach
    void start() throws Exception {
        root = Files.createDirectory(temporary.toRealPath().resolve("root"));
        outside = Files.createDirectory(temporary.toRealPath().resolve("outside"));
        Files.writeString(outside.resolve("f"), SECRET);
        workers = new PathWorkers(ShimProgram.built(), threads, time);
        reads = workers.reads("files");
    }

    @AfterEach
    void stop() {
        workers.close();
    }

    private Deadline soon() {
        return Deadline.in(time, Duration.ofSeconds(20));
    }

    private Place at(String below) {
        return new Place(root, below);
    }

    @Test
    void everyByteIsReadAsItIs() throws Exception {
        byte[] bytes = new byte[FileReads.MOST + 1000];
        new Random(7).nextBytes(bytes);
        Files.write(root.resolve("f"), bytes);
        FileReads.Piece first = reads.read(at("f"), 0, FileReads.MOST, soon());
        FileReads.Piece second = reads.read(at("f"), FileReads.MOST, FileReads.MOST, soon());
        assertArrayEquals(Arrays.copyOf(bytes, FileReads.MOST), first.bytes());
        assertArrayEquals(Arrays.copyOfRange(bytes, FileReads.MOST, bytes.length), second.bytes());
        assertEquals(bytes.length, second.size());
        assertEquals(0, reads.read(at("f"), bytes.length, 10, soon()).bytes().length);
        assertEquals(10, reads.read(at("f"), 5, 10, soon()).bytes().length);
        Files.writeString(root.resolve("empty"), "");
        assertEquals(0, reads.read(at("empty"), 0, 10, soon()).bytes().length);
    }

    @Test
    void entriesAreToldAsTheyAre() throws Exception {
        Files.createDirectory(root.resolve("d"));
        Files.writeString(root.resolve("a b\n\u00e9"), "12345");
        Files.createSymbolicLink(root.resolve("l"), outside);
        Instant then = Instant.parse("2020-02-03T04:05:06.123456789Z");
        Files.setLastModifiedTime(root.resolve("a b\n\u00e9"), FileTime.from(then));
        List<FileLook> entries = reads.entries(at(""), soon()).byName();
        assertEquals(
                List.of("a b\n\u00e9", "d", "l"),
                entries.stream().map(FileLook::name).toList());
        assertEquals(5, entries.getFirst().size());
        assertEquals(then, entries.getFirst().modified());
        assertEquals(PathStat.Type.DIRECTORY, entries.get(1).type());
        assertEquals(PathStat.Type.LINK, entries.get(2).type());
        assertEquals(List.of(), reads.entries(at("d"), soon()).byName());
        assertEquals(
                entries.get(1).inode(),
                reads.look(at("d"), soon()).orElseThrow().inode());
        assertEquals(Optional.empty(), reads.look(at("absent"), soon()));
        assertEquals(Optional.empty(), reads.look(at("absent/too"), soon()));
    }

    @Test
    void noLinkIsFollowedAndNothingElseIsOpened() throws Exception {
        Files.createSymbolicLink(root.resolve("d"), outside);
        Files.createSymbolicLink(root.resolve("l"), outside.resolve("f"));
        assertEquals(
                0,
                new ProcessBuilder("mkfifo", root.resolve("p").toString())
                        .start()
                        .waitFor());
        Files.createDirectory(root.resolve("sub"));
        for (String below : List.of("d/f", "l", "p", "sub")) {
            assertThrows(KernelTrouble.class, () -> reads.read(at(below), 0, 100, soon()), below);
            assertThrows(IOException.class, () -> LocalFiles.open(at(below)).close(), below);
        }
        assertThrows(KernelTrouble.class, () -> reads.entries(at("d"), soon()));
        assertThrows(KernelTrouble.class, () -> reads.look(at("d/f"), soon()));
        assertThrows(IOException.class, () -> LocalFiles.sizes(at("d")));
        assertThrows(NoSuchFileException.class, () -> LocalFiles.open(at("absent")));
        assertThrows(NoSuchFileException.class, () -> LocalFiles.sizes(at("absent")));
        assertEquals(Map.of(), LocalFiles.sizes(at("")));
    }

    /** A directory and a link to the outside change places all the time: never is the link taken. */
    @Test
    void aRacingLinkIsNeverFollowed() throws Exception {
        Path real = Files.createDirectory(root.resolve("real"));
        Files.writeString(real.resolve("f"), "inside");
        Files.createSymbolicLink(root.resolve("link"), outside);
        AtomicBoolean over = new AtomicBoolean();
        Thread racer = Thread.ofPlatform().start(() -> race(over));
        int read = 0;
        try {
            // Each read is a change of processes, and the racer takes a processor: on a busy machine fewer are tried.
            Deadline enough = Deadline.in(time, Duration.ofSeconds(20));
            for (int i = 0; i < 500 && !enough.isExpired(); i++) {
                read += isInside(() -> reads.read(at("d/f"), 0, 100, soon()).bytes());
                read += isInside(() -> local(at("d/f")));
            }
        } finally {
            over.set(true);
            racer.join();
        }
        assertTrue(read > 0, "nothing was ever read");
    }

    private void race(AtomicBoolean over) {
        try {
            while (!over.get()) {
                Files.move(root.resolve("real"), root.resolve("d"), StandardCopyOption.ATOMIC_MOVE);
                Files.move(root.resolve("d"), root.resolve("real"), StandardCopyOption.ATOMIC_MOVE);
                Files.move(root.resolve("link"), root.resolve("d"), StandardCopyOption.ATOMIC_MOVE);
                Files.move(root.resolve("d"), root.resolve("link"), StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Reads a file. */
    private interface Reading {
        byte[] bytes() throws Exception;
    }

    private static int isInside(Reading reading) throws Exception {
        try {
            assertEquals("inside", new String(reading.bytes(), StandardCharsets.UTF_8));
            return 1;
        } catch (KernelTrouble | IOException refused) {
            return 0;
        }
    }

    private static byte[] local(Place file) throws IOException {
        try (FileChannel channel = LocalFiles.open(file)) {
            ByteBuffer buffer = ByteBuffer.allocate(100);
            channel.read(buffer);
            return Arrays.copyOf(buffer.array(), buffer.position());
        }
    }

    /** On a file system with 64 bits for a time, a workload sets any: it ended the agent. */
    @Test
    void aTimeThatNoCalendarHasIsTheNearestThatOneHas() throws Exception {
        Path memory = Path.of("/dev/shm");
        Assumptions.assumeTrue(Files.isWritable(memory), "reason: /dev/shm cannot be written to");
        Path there = Files.createTempDirectory(memory, "cleat-times");
        try {
            touch(there.resolve("far"), "@9000000000000000000");
            touch(there.resolve("old"), "@-9000000000000000000");
            List<FileLook> entries = reads.entries(new Place(there, ""), soon()).byName();
            assertEquals(
                    List.of(Instant.parse("9999-12-31T23:59:59Z"), Instant.parse("0001-01-01T00:00:00Z")),
                    entries.stream().map(FileLook::modified).toList());
            assertTrue(reads.look(new Place(there, "far"), soon()).isPresent());
        } finally {
            Files.deleteIfExists(there.resolve("far"));
            Files.deleteIfExists(there.resolve("old"));
            Files.delete(there);
        }
    }

    private static void touch(Path file, String when) throws Exception {
        assertEquals(
                0,
                new ProcessBuilder("touch", "-d", when, file.toString()).start().waitFor());
    }

    /** A plugin's file system says what it likes of its files. */
    @Test
    void numbersOfAFileSystemThatLiesAreWithinTheirRanges() throws Exception {
        WorkerAnswer answer = new WorkerAnswer(
                List.of("file", "777", "18446744073709551615", "0", "18446744073709551615", "18446744073709551615"));
        FileLook look = FileReads.look("f", answer, 0);
        assertEquals(Long.MAX_VALUE, look.size());
        assertEquals(Instant.ofEpochSecond(0, 999_999_999), look.modified());
        assertEquals(-1, look.inode());
    }
}
