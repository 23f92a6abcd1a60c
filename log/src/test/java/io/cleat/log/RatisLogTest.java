package io.cleat.log;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.OpenFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ratis obeys the contract, and its directory meets bad luck. */
final class RatisLogTest extends ReplicatedLogContract {
    private static final String CLUSTER = "11111111-2222-3333-4444-555555555555";

    @TempDir
    Path directory;

    @Override
    ReplicatedLog make(Recording recording) {
        return ratis(settings(Optional.empty()), recording);
    }

    private LogSettings settings(Optional<String> cluster) {
        return new LogSettings(directory, cluster, 1 << 20, 1000, 4 << 20, 0);
    }

    static RatisLog ratis(LogSettings settings, Recording recording) {
        return ratis(settings, Room.ofBytes(), recording);
    }

    static RatisLog ratis(LogSettings settings, Room room, Recording recording) {
        return new RatisLog(
                settings, room, new SystemTime(), Threads.virtual(recording::fault), Ids.random(), recording::fault);
    }

    private Recording fill(int from, int to) throws Trouble {
        Recording recording = new Recording();
        try (RatisLog log = ratis(settings(Optional.empty()), recording)) {
            log.start(recording);
            recording.awaitLeading();
            numbered(from, to).forEach(text -> append(log, recording, text));
            recording.awaitOutcomes(to - from);
        }
        return recording;
    }

    private Path openSegment() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(f -> f.getFileName().toString().startsWith("log_inprogress"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void recordCutShortIsDroppedAndTheRestKept() throws Exception {
        fill(0, 10);
        Path segment = openSegment();
        // The end is the last entry: a close appends nothing and cuts the zeros off.
        try (var channel = Files.newByteChannel(segment, StandardOpenOption.WRITE)) {
            channel.truncate(Files.size(segment) - 3);
        }
        assertEquals(numbered(0, 9), fill(9, 9).texts());
        assertEquals(numbered(0, 11).size(), fill(9, 11).texts().size());
    }

    @Test
    void recordWhoseSpaceWasThereButNotItsBytesIsDropped() throws Exception {
        fill(0, 10);
        Path segment = openSegment();
        byte[] bytes = Files.readAllBytes(segment);
        for (int i = bytes.length - 8; i < bytes.length; i++) {
            bytes[i] = 0;
        }
        Files.write(segment, bytes);
        Files.write(segment, new byte[4096], StandardOpenOption.APPEND);
        assertEquals(numbered(0, 9), fill(9, 9).texts());
    }

    @Test
    void garbageBehindTheLastRecordIsDropped() throws Exception {
        fill(0, 10);
        byte[] garbage = new byte[700];
        for (int i = 0; i < garbage.length; i++) {
            garbage[i] = (byte) (i * 31 + 7);
        }
        Files.write(openSegment(), garbage, StandardOpenOption.APPEND);
        assertEquals(numbered(0, 12), fill(10, 12).texts());
        assertEquals(numbered(0, 12), fill(12, 12).texts());
    }

    @Test
    void damageBeforeAReadableRecordIsRefusedAndTouchesNothing() throws Exception {
        fill(0, 10);
        Path segment = openSegment();
        byte[] bytes = Files.readAllBytes(segment);
        bytes[bytes.length - 70] ^= 0x55;
        Files.write(segment, bytes);
        Recording recording = new Recording();
        try (RatisLog log = ratis(settings(Optional.empty()), recording)) {
            Trouble refused = assertThrows(Trouble.class, () -> log.start(recording));
            assertTrue(refused.reason().contains("damaged"), refused.reason());
            assertTrue(refused.reason().contains(segment.toString()), refused.reason());
        }
        assertEquals(bytes.length, Files.size(segment));
    }

    @Test
    void directoryOfAnotherClusterIsRefused() throws Exception {
        fill(0, 1);
        Recording recording = new Recording();
        try (RatisLog log = ratis(settings(Optional.of(CLUSTER)), recording)) {
            Trouble refused = assertThrows(Trouble.class, () -> log.start(recording));
            assertTrue(refused.reason().contains(CLUSTER), refused.reason());
        }
    }

    @Test
    void directoryOfAnotherVersionIsRefusedWithItsNumber() throws Exception {
        fill(0, 1);
        Path identity = directory.resolve(LogIdentity.FILE);
        Files.writeString(identity, Files.readString(identity).replace("cleat-log 2", "cleat-log 7"));
        Recording recording = new Recording();
        try (RatisLog log = ratis(settings(Optional.empty()), recording)) {
            Trouble refused = assertThrows(Trouble.class, () -> log.start(recording));
            assertTrue(refused.reason().contains("cleat-log 7"), refused.reason());
        }
    }

    @Test
    void directoryWhoseLogIsGoneIsRefused() throws Exception {
        fill(0, 1);
        try (Stream<Path> files = Files.walk(directory.resolve(RatisLog.STORAGE))) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
        Recording recording = new Recording();
        try (RatisLog log = ratis(settings(Optional.empty()), recording)) {
            Trouble refused = assertThrows(Trouble.class, () -> log.start(recording));
            assertTrue(refused.reason().contains("gone"), refused.reason());
        }
    }

    @Test
    void directoryWithStrangeFilesIsRefused() throws Exception {
        Files.writeString(directory.resolve("notes"), "mine");
        Recording recording = new Recording();
        try (RatisLog log = ratis(settings(Optional.empty()), recording)) {
            Trouble refused = assertThrows(Trouble.class, () -> log.start(recording));
            assertTrue(refused.reason().contains("notes"), refused.reason());
        }
    }

    @Test
    void directoryInUseIsRefused() throws Exception {
        Recording first = new Recording();
        try (RatisLog log = ratis(settings(Optional.empty()), first)) {
            log.start(first);
            first.awaitLeading();
            Recording second = new Recording();
            try (RatisLog other = ratis(settings(Optional.empty()), second)) {
                Trouble refused = assertThrows(Trouble.class, () -> other.start(second));
                assertTrue(refused.reason().contains("lock"), refused.reason());
            }
        }
    }

    @Test
    void snapshotsByBytesKeepTheDirectorySmall() throws Exception {
        Recording recording = new Recording();
        AtomicInteger appended = new AtomicInteger();
        try (RatisLog log = ratis(settings(Optional.empty()), recording)) {
            log.start(recording);
            recording.awaitLeading();
            String text = "y".repeat(100_000);
            while (appended.get() < 200) {
                append(log, recording, text);
                recording.awaitOutcomes(appended.incrementAndGet());
            }
            // A slow disk takes its snapshots later, and the log goes on growing meanwhile.
            Eventually.holds(
                    () -> {
                        append(log, recording, text);
                        recording.awaitOutcomes(appended.incrementAndGet());
                        return segmentBytes(directory.toFile()) < 12 << 20;
                    },
                    "the segments hold less than is appended");
            recording.outcomes().forEach(o -> assertInstanceOf(Outcome.Applied.class, o));
            assertTrue(log.status().snapshotIndex() > 0);
        }
        Recording again = new Recording();
        try (RatisLog log = ratis(settings(Optional.empty()), again)) {
            log.start(again);
            again.awaitLeading();
            assertEquals(appended.get(), again.texts().size());
        }
    }

    /** Of files that may go meanwhile. */
    private static long segmentBytes(File directory) {
        long bytes = 0;
        for (File file : requireNonNull(directory.listFiles())) {
            if (file.isDirectory()) {
                bytes += segmentBytes(file);
            } else if (file.getName().startsWith("log_")) {
                bytes += file.length();
            }
        }
        return bytes;
    }

    @Test
    void nothingListens() throws Exception {
        Recording recording = new Recording();
        try (RatisLog log = ratis(settings(Optional.empty()), recording)) {
            log.start(recording);
            recording.awaitLeading();
            assertEquals(Set.of(), listening());
        }
    }

    /** Inodes of listening TCP sockets that this process holds open. */
    private static Set<String> listening() throws IOException {
        Set<String> mine = new HashSet<>();
        Pattern socket = Pattern.compile("socket:\\[(\\d+)]");
        for (String target : OpenFiles.targets()) {
            Matcher matcher = socket.matcher(target);
            if (matcher.matches()) {
                mine.add(matcher.group(1));
            }
        }
        Set<String> listening = new HashSet<>();
        for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
            if (Files.exists(Path.of(table))) {
                for (String line : Files.readAllLines(Path.of(table))) {
                    String[] fields = line.strip().split("\\s+", -1);
                    if (fields.length > 9 && fields[3].equals("0A") && mine.contains(fields[9])) {
                        listening.add(fields[1]);
                    }
                }
            }
        }
        return listening;
    }
}
