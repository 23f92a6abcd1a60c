package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log of several segments and a snapshot, each of whose files is damaged and taken away. */
class LogCheckTest {
    private static final int ENTRIES = 78;
    private static final int TRIES = 64;

    @TempDir
    Path directory;

    private final Random chance = new Random(4711);

    /** A snapshot and what was written since: closed segments, and an open one. */
    @BeforeEach
    void fill() throws Exception {
        Recording recording = new Recording();
        try (RatisLog log = log(recording)) {
            log.start(recording);
            recording.awaitLeading();
            for (int i = 1; i <= ENTRIES; i++) {
                ReplicatedLogContract.append(log, recording, "y".repeat(100_000) + i);
                recording.awaitOutcomes(i);
            }
            Eventually.holds(() -> !hasFirstSegment(), "what the snapshot holds is cut off");
        }
    }

    /** Reads no file: one may go meanwhile. */
    private boolean hasFirstSegment() throws Exception {
        try (Stream<Path> files = Files.list(storage().resolve("current"))) {
            return files.anyMatch(file -> String.valueOf(file.getFileName()).startsWith("log_0-"));
        }
    }

    private RatisLog log(Recording recording) {
        return RatisLogTest.ratis(new LogSettings(directory, Optional.empty(), 1 << 20, 1000, 4 << 20, 0), recording);
    }

    /** A log whose newest entries had been taken away was opened without a word. */
    @Test
    void aLogWithoutAnOpenFile_isOpened_andSaid() throws Exception {
        StoredFiles files = new StoredFiles(storage());
        assertEquals(Optional.empty(), LogCheck.endFault(files));
        List<StoredFiles.Records> all = files.segments();
        assertTrue(all.getLast().isOpen(), "none is closed when the log ends");
        Files.delete(all.getLast().path());
        String words = LogCheck.endFault(files).orElseThrow();
        long last = all.get(all.size() - 2).end();
        assertTrue(words.contains("no file is open behind entry " + last + ":"), words);
        List<CheckedFile> checked = check();
        assertTrue(checked.stream().anyMatch(file -> file.holds().equals(words)));
        assertTrue(checked.stream().allMatch(file -> file.fault().isEmpty()));
        Recording recording = new Recording();
        try (RatisLog log = log(recording)) {
            log.start(recording);
            recording.awaitLeading();
        }
    }

    private List<CheckedFile> check() throws DiskTrouble {
        try (StoredLog log = StoredLog.open(directory)) {
            return log.check();
        }
    }

    private Path storage() throws Exception {
        try (Stream<Path> clusters = Files.list(directory.resolve(RatisLog.STORAGE))) {
            return clusters.findFirst().orElseThrow();
        }
    }

    private Map<String, byte[]> bytes() throws Exception {
        Map<String, byte[]> all = new TreeMap<>();
        Path storage = storage();
        try (Stream<Path> files = Files.walk(storage)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.put(storage.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return all;
    }

    private List<String> closed() throws Exception {
        return bytes().keySet().stream()
                .filter(name -> name.contains("/log_"))
                .filter(name -> !name.contains("inprogress"))
                .toList();
    }

    private String newestSnapshot() throws Exception {
        return check().stream()
                .map(CheckedFile::name)
                .filter(name -> name.startsWith("sm/"))
                .findFirst()
                .orElseThrow();
    }

    private List<CheckedFile> bad() throws DiskTrouble {
        return check().stream().filter(file -> file.fault().isPresent()).toList();
    }

    /** Both who asks and a start say it of this file, in one sentence, and change nothing. */
    private void assertRefused(String name) throws Exception {
        assertEquals(List.of(name), bad().stream().map(CheckedFile::name).toList());
        assertStartRefuses(name);
    }

    private void assertStartRefuses(String name) throws Exception {
        Map<String, byte[]> before = bytes();
        Recording recording = new Recording();
        try (RatisLog log = log(recording)) {
            DiskTrouble refused = assertThrows(DiskTrouble.class, () -> log.start(recording));
            assertTrue(refused.reason().contains(storage().resolve(name) + " "), refused.reason());
            assertFalse(refused.reason().contains("\n"), refused.reason());
        }
        Map<String, byte[]> after = bytes();
        assertEquals(before.keySet(), after.keySet());
        before.forEach((file, was) -> assertArrayEquals(was, after.get(file), file));
    }

    @Test
    void aWholeLogIsWhole() throws Exception {
        List<CheckedFile> files = check();
        assertTrue(files.stream().allMatch(file -> file.fault().isEmpty()), files::toString);
        assertTrue(closed().size() >= 2, files::toString);
        assertEquals(closed().size() + 4, files.size(), files::toString);
    }

    @Test
    void anyBitOfAClosedSegmentOrOfTheSnapshotIsNoticed() throws Exception {
        List<String> names = new ArrayList<>(closed());
        names.add(newestSnapshot());
        for (int i = 0; i < TRIES; i++) {
            String name = names.get(chance.nextInt(names.size()));
            byte[] whole = Files.readAllBytes(storage().resolve(name));
            byte[] damaged = whole.clone();
            int at = chance.nextInt(damaged.length);
            damaged[at] ^= (byte) (1 << chance.nextInt(8));
            Files.write(storage().resolve(name), damaged);
            assertRefused(name);
            Files.write(storage().resolve(name), whole);
        }
    }

    @Test
    void whatWasCutEmptiedZeroedOrFollowedByGarbageIsNoticed() throws Exception {
        List<String> names = new ArrayList<>(closed());
        names.add(newestSnapshot());
        for (String name : names) {
            byte[] whole = Files.readAllBytes(storage().resolve(name));
            byte[] longer = Arrays.copyOf(whole, whole.length + 700);
            Arrays.fill(longer, whole.length, longer.length, (byte) 0x5a);
            for (byte[] damaged : List.of(
                    new byte[0],
                    new byte[whole.length],
                    Arrays.copyOf(whole, chance.nextInt(whole.length)),
                    Arrays.copyOf(whole, whole.length - 1),
                    longer)) {
                Files.write(storage().resolve(name), damaged);
                assertRefused(name);
            }
            Files.write(storage().resolve(name), whole);
        }
    }

    @Test
    void aSegmentThatIsGoneIsAGap() throws Exception {
        List<String> closed = closed();
        String gone = closed.get(closed.size() - 2);
        Files.delete(storage().resolve(gone));
        // All before the snapshot may go; what comes after must be there.
        List<CheckedFile> bad = bad();
        assertEquals(1, bad.size(), bad::toString);
        assertTrue(bad.getFirst().fault().orElseThrow().contains("is gone"), bad::toString);
        assertStartRefuses(bad.getFirst().name());
    }

    /** The library told of it in pages. */
    @Test
    void aFileThatWasPutBackBesideTheOneThatCameOfIt_isRefused() throws Exception {
        List<String> closed = closed();
        String old = closed.get(closed.size() - 2);
        String start = old.substring(old.indexOf("log_") + 4, old.indexOf('-'));
        Path copy = storage().resolve("current/log_inprogress_" + start);
        Files.copy(storage().resolve(old), copy);
        List<CheckedFile> bad = bad();
        assertFalse(bad.isEmpty());
        assertTrue(bad.getFirst().fault().orElseThrow().contains("was put there"), bad::toString);
        assertStartRefuses(bad.getFirst().name());
        Files.delete(copy);
        assertEquals(List.of(), bad());
    }

    @Test
    void aSnapshotThatIsGoneIsSaidAtOnce() throws Exception {
        for (String name : bytes().keySet()) {
            if (name.startsWith("sm/")) {
                Files.delete(storage().resolve(name));
            }
        }
        List<CheckedFile> bad = bad();
        assertEquals(1, bad.size(), bad::toString);
        assertTrue(bad.getFirst().fault().orElseThrow().contains("snapshot"), bad::toString);
        assertStartRefuses(bad.getFirst().name());
    }

    @Test
    void theLibrarysOwnFilesAreRead() throws Exception {
        for (String name : List.of("current/raft-meta", "current/raft-meta.conf")) {
            byte[] whole = Files.readAllBytes(storage().resolve(name));
            for (byte[] damaged : List.of(new byte[0], new byte[] {-1, -2, -3})) {
                Files.write(storage().resolve(name), damaged);
                assertRefused(name);
            }
            Files.write(storage().resolve(name), whole);
        }
        Files.delete(storage().resolve("current/raft-meta"));
        assertRefused("current/raft-meta");
    }

    @Test
    void theRecordOfTheMembersIsMadeAgain() throws Exception {
        Path members = storage().resolve("current/raft-meta.conf");
        Files.delete(members);
        Recording recording = new Recording();
        try (RatisLog log = log(recording)) {
            log.start(recording);
            recording.awaitLeading();
            assertEquals(ENTRIES, recording.texts().size());
        }
        assertTrue(Files.exists(members));
    }

    @Test
    void aTornEndIsNoFault() throws Exception {
        String open = bytes().keySet().stream()
                .filter(name -> name.contains("inprogress"))
                .findFirst()
                .orElseThrow();
        byte[] whole = Files.readAllBytes(storage().resolve(open));
        Files.write(storage().resolve(open), Arrays.copyOf(whole, whole.length - 5));
        CheckedFile found = check().getLast();
        assertEquals(open, found.name());
        assertEquals(Optional.empty(), found.fault());
        assertTrue(found.holds().contains("which a start takes off"), found.holds());
    }
}
