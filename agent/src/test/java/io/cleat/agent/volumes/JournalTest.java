package io.cleat.agent.volumes;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.codec.RecordCodec;
import io.cleat.kernel.Mount;
import io.cleat.kernel.Mounts;
import io.cleat.model.VolumeId;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class JournalTest {
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final Threads threads = Threads.virtual((where, fault) -> faults.add(fault));

    @TempDir
    private Path directory = Path.of("");

    private static final Mount FUSE = new Mount(
            1,
            0,
            new Mount.Device(0, 52),
            "/",
            "/csi/nfs/staging/default/v1",
            List.of("rw"),
            new Mount.Propagation(OptionalInt.empty(), OptionalInt.empty(), false),
            "fuse.x",
            "x",
            List.of("rw"));

    private Journal open(Path file) throws DiskTrouble {
        return Journal.open(file, threads, new SystemTime());
    }

    static VolumeRecord record(String externalId) {
        return new VolumeRecord(
                "nfs",
                externalId,
                new Staging(
                        new VolumeId("default", externalId),
                        Staging.Phase.STAGED,
                        "/csi/nfs/staging/default/" + externalId,
                        "/local/csi/staging/default/" + externalId,
                        Ground.SHARED,
                        "d1",
                        "boot-1",
                        null),
                List.of(new Use(
                        "a1",
                        "data",
                        new VolumeId("default", externalId),
                        7,
                        Ground.SHARED,
                        false,
                        Use.Phase.PUBLISHED,
                        "/csi/nfs/per-alloc/a1/v/rw",
                        "/local/csi/per-alloc/a1/v/rw",
                        "node-x")),
                0);
    }

    private static Set<VolumeRecord> all(Journal journal) {
        return new HashSet<>(journal.volumes());
    }

    /** A data directory that was moved ended the start with an internal error. */
    @Test
    void aJournalOfVolumesThatLieElsewhere_isRefusedWithBothPaths() throws Exception {
        Path file = directory.resolve("j");
        try (Journal journal = open(file)) {
            journal.requireBelow(Path.of("/moved/csi"));
            journal.keep(record("v1"));
            journal.requireBelow(Path.of("/csi"));
            DiskTrouble moved = assertThrows(DiskTrouble.class, () -> journal.requireBelow(Path.of("/moved/csi")));
            String why = moved.reason();
            assertTrue(why.contains("/csi/nfs/") && why.contains("/moved/csi"), why);
            assertEquals(Set.of(record("v1")), all(journal));
        }
    }

    @Test
    void whatWasKeptIsThereAgainAndWhatIsEmptyIsNot() throws Exception {
        Path file = directory.resolve("j");
        try (Journal journal = open(file)) {
            journal.keep(record("v1"));
            journal.keep(record("v2"));
            journal.keep(VolumeRecord.none(new VolumeKey("nfs", "v1")));
        }
        try (Journal again = open(file)) {
            assertEquals(Set.of(record("v2")), all(again));
            assertEquals(Optional.empty(), again.torn());
            assertEquals(Optional.of(record("v2")), again.usedBy("a1", "data"));
        }
    }

    @Test
    void aJournalThatIsLostUnderAllocations_isRefusedAndNamesThem() throws Exception {
        Path file = directory.resolve("j");
        List<String> here = List.of("/a1.allocation", "a mount at /csi/x", "/a2", "/a3", "/a4");
        DiskTrouble lost = assertThrows(DiskTrouble.class, () -> Journal.open(file, here, threads, new SystemTime()));
        assertTrue(lost.reason().contains("/a1.allocation, a mount at /csi/x, /a2 and 2 more"), lost.reason());
        assertTrue(lost.reason().contains(file.toString()), lost.reason());
        assertTrue(Files.notExists(file));
        Journal.open(file, List.of(), threads, new SystemTime()).close();
        Journal.open(file, here, threads, new SystemTime()).close();
    }

    @Test
    void aLastRecordTornAtAnyByteIsDroppedAndSaid() throws Exception {
        Path file = directory.resolve("j");
        try (Journal journal = open(file)) {
            journal.keep(record("v1"));
        }
        long good = Files.size(file);
        try (Journal journal = open(file)) {
            journal.keep(record("v2"));
        }
        byte[] whole = Files.readAllBytes(file);
        for (int length = (int) good + 1; length < whole.length; length++) {
            Path torn = directory.resolve("torn");
            Files.write(torn, Arrays.copyOf(whole, length));
            assertOnlyFirst(torn, good);
            // The file was lengthened, and not all of it was filled.
            Files.write(torn, Arrays.copyOf(Arrays.copyOf(whole, length), whole.length));
            if (!Arrays.equals(Files.readAllBytes(torn), whole)) {
                assertOnlyFirst(torn, good);
            }
        }
        assertEquals(List.of(), faults);
    }

    private void assertOnlyFirst(Path torn, long good) throws Exception {
        byte[] dropped = Files.readAllBytes(torn);
        try (Journal journal = open(torn)) {
            assertEquals(Set.of(record("v1")), all(journal));
            String words = journal.torn().orElse("");
            assertTrue(words.contains("from byte " + good), words);
            Path kept = keptBeside(torn).getFirst();
            assertTrue(words.contains(kept.toString()), words);
            assertArrayEquals(Arrays.copyOfRange(dropped, (int) good, dropped.length), Files.readAllBytes(kept));
            // Shorter than what was torn, of which nothing may be left behind it.
            journal.keep(VolumeRecord.none(new VolumeKey("nfs", "v3")));
        }
        try (Journal journal = open(torn)) {
            assertEquals(Set.of(record("v1")), all(journal));
            assertEquals(Optional.empty(), journal.torn());
            journal.keep(record("v3"));
        }
        try (Journal journal = open(torn)) {
            assertEquals(Set.of(record("v1"), record("v3")), all(journal));
            assertEquals(Optional.empty(), journal.torn());
        }
    }

    /** It was taken for one that is not there, and a new one was written over it. */
    @Test
    void aJournalThatTheDiskDoesNotGive_isRefusedAndNotReplaced() throws Exception {
        Path file = directory.resolve("j");
        Files.createSymbolicLink(file, file);
        DiskTrouble refused =
                assertThrows(DiskTrouble.class, () -> Journal.open(file, List.of(), threads, new SystemTime()));
        assertTrue(refused.reason().contains(file.toString()), refused.reason());
        assertTrue(Files.isSymbolicLink(file));
    }

    /** What was cut off, the newest first. */
    private static List<Path> keptBeside(Path file) throws IOException {
        try (Stream<Path> all = Files.list(Objects.requireNonNull(file.getParent()))) {
            return all.filter(path -> path.toString().startsWith(file + ".torn-"))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }

    /** The last batch was taken for torn, cut off, and no copy was kept. */
    @Test
    void aLastRecordThatWasWrittenToItsEndAndIsDamaged_isRefusedAndNothingIsChanged() throws Exception {
        Path file = directory.resolve("j");
        try (Journal journal = open(file)) {
            journal.keep(record("v1"));
        }
        int good = (int) Files.size(file);
        try (Journal journal = open(file)) {
            journal.keep(record("v2"));
        }
        byte[] whole = Files.readAllBytes(file);
        for (int bit = good * 8; bit < whole.length * 8; bit++) {
            byte[] damaged = whole.clone();
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            assertRefusedAt(good, file, damaged);
        }
        for (int more : List.of(1, 13, 14, 64, 600)) {
            byte[] longer = Arrays.copyOf(whole, whole.length + more);
            Arrays.fill(longer, whole.length, longer.length, (byte) 'x');
            assertRefusedAt(whole.length, file, longer);
        }
    }

    private void assertRefusedAt(int at, Path file, byte[] bytes) throws Exception {
        Files.write(file, bytes);
        String words = assertThrows(DiskTrouble.class, () -> open(file)).reason();
        assertTrue(words.contains(file + " cannot be read at byte " + at), words);
        assertTrue(words.contains("truncate -s " + at + " " + file), words);
        assertArrayEquals(bytes, Files.readAllBytes(file));
        assertEquals(List.of(), keptBeside(file));
    }

    @Test
    void ofWhatIsCutOffTheNewestFourAreKept() throws Exception {
        Path file = directory.resolve("j");
        open(file).close();
        for (int i = 0; i < 6; i++) {
            try (Journal journal = open(file)) {
                journal.keep(record("v" + i));
            }
            Files.write(file, new byte[] {'v', 'j'}, StandardOpenOption.APPEND);
        }
        String newest = open(file).torn().orElseThrow();
        assertEquals(4, keptBeside(file).size());
        assertTrue(newest.contains(keptBeside(file).getFirst().toString()), newest);
    }

    /** Half of a write may be there and the other half not, where it is longer than a sector. */
    @Test
    void aRecordOfWhichAWholeSectorWasNotWritten_isTorn() throws Exception {
        Path file = directory.resolve("j");
        int good;
        try (Journal journal = open(file)) {
            journal.keep(record("v1"));
            good = (int) Files.size(file);
            journal.keep(record("v2".repeat(400)));
        }
        byte[] whole = Files.readAllBytes(file);
        for (int sector = good / 512 * 512; sector < whole.length; sector += 512) {
            byte[] damaged = whole.clone();
            int end = Math.min(whole.length, sector + 512);
            Arrays.fill(damaged, Math.max(good, sector), end, (byte) 0);
            Files.write(file, damaged);
            try (Journal journal = open(file)) {
                assertEquals(Set.of(record("v1")), all(journal));
                assertTrue(journal.torn().isPresent());
            }
        }
    }

    @Test
    void damageBeforeWholeRecordsIsRefusedAndNothingIsChanged() throws Exception {
        Path file = directory.resolve("j");
        long first;
        try (Journal journal = open(file)) {
            first = Files.size(file);
            journal.keep(record("v1"));
            journal.keep(record("v2"));
        }
        byte[] whole = Files.readAllBytes(file);
        for (int at = (int) first; at < first + 40; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x40;
            Files.write(file, damaged);
            DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> open(file));
            assertTrue(trouble.reason().contains(file.toString()), trouble.reason());
            assertEquals(damaged.length, Files.size(file));
        }
    }

    @Test
    void aNewerVersionIsRefusedWithItsNumber() throws Exception {
        Path file = directory.resolve("j");
        open(file).close();
        byte[] newer = RecordCodec.stored("vjrn", 9, JournalFile.Batch.class).encode(new JournalFile.Batch(List.of()));
        Files.write(file, newer, StandardOpenOption.APPEND);
        long length = Files.size(file);
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> open(file));
        assertTrue(trouble.reason().contains("version 9"), trouble.reason());
        assertEquals(length, Files.size(file));

        Files.write(file, RecordCodec.stored("vjhd", 3, JournalFile.Head.class).encode(new JournalFile.Head(0)));
        assertTrue(assertThrows(DiskTrouble.class, () -> open(file)).reason().contains("version 3"));

        // Of one that was zeroed the words named no file, and had zeros in them.
        Files.write(file, new byte[64]);
        String words = assertThrows(DiskTrouble.class, () -> open(file)).reason();
        assertTrue(words.contains(file.toString()), words);
        assertFalse(words.contains("\0"), words);
    }

    /** Never edited: what version 1 wrote is read for ever. */
    @Test
    void theSampleOfVersionOneIsRead() throws Exception {
        Path now = directory.resolve("now");
        try (Journal journal = open(now)) {
            for (String volume : List.of("v1", "v2", "v3")) {
                journal.keep(record(volume));
            }
            journal.keep(VolumeRecord.none(record("v2").key()));
        }
        Path file = directory.resolve("j");
        Files.write(file, new History("agent").sample("volumes-journal-1", Files.readAllBytes(now)));
        try (Journal journal = open(file)) {
            assertEquals(Set.of(record("v1"), record("v3")), all(journal));
            assertEquals(Optional.empty(), journal.torn());
        }
    }

    /** Never edited. From version 2 on a staging says what was mounted there. */
    @Test
    void theSampleOfVersionTwoIsRead() throws Exception {
        VolumeRecord plain = record("v1");
        VolumeRecord record = plain.with(requireNonNull(plain.staging()).staged(Optional.of(FUSE)));
        Path now = directory.resolve("now");
        try (Journal journal = open(now)) {
            journal.keep(record);
            journal.keep(record("v2"));
        }
        Path file = directory.resolve("j");
        Files.write(file, new History("agent").sample("volumes-journal-2", Files.readAllBytes(now)));
        try (Journal journal = open(file)) {
            assertEquals(Set.of(record, record("v2")), all(journal));
            assertEquals(
                    "fuse.x 0:52",
                    requireNonNull(journal.volume(record.key()).staging()).mounted());
        }
    }

    @Test
    void aGrownFileIsRewrittenAndSaysTheSame() throws Exception {
        Path file = directory.resolve("j");
        long most = 0;
        try (Journal journal = open(file)) {
            for (int i = 0; i < 1500; i++) {
                journal.keep(record("v" + i % 7));
                most = Math.max(most, Files.size(file));
            }
        }
        assertTrue(most < 1 << 20, most + " bytes");
        assertTrue(Files.size(file) < most);
        try (Journal journal = open(file)) {
            assertEquals(7, journal.volumes().size());
        }
        assertFalse(Files.exists(directory.resolve("j.tmp")));
    }

    @Test
    void theHeadCountsTheRewritesOfAllOpenings() throws Exception {
        Path file = directory.resolve("j");
        for (int opening = 0; opening < 2; opening++) {
            try (JournalFile opened = new JournalFile(file)) {
                opened.rewrite(List.of());
                opened.rewrite(List.of());
            }
        }
        byte[] bytes = Files.readAllBytes(file);
        int head = JournalFile.HEAD.encode(new JournalFile.Head(4)).length;
        assertEquals(new JournalFile.Head(4), JournalFile.HEAD.decode(Arrays.copyOf(bytes, head)));
    }

    /** Else who waits for another user of a volume sleeps on when that one is gone. */
    @Test
    void whoWaitsForAChange_isWokenByItAndByNoRefusal() throws Exception {
        try (Journal journal = open(directory.resolve("j"))) {
            long seen = journal.version();
            assertThrows(DiskTrouble.class, () -> journal.keep(record("half \ud800")));
            assertEquals(seen, journal.version());
            Thread waiting = threads.vitalWork(
                    "test/wait", () -> journal.awaitChange(seen, Deadline.in(new SystemTime(), Duration.ofHours(1))));
            Eventually.holds(() -> waiting.getState() == Thread.State.TIMED_WAITING, "it waits");
            journal.keep(record("v1"));
            assertTrue(waiting.join(Duration.ofSeconds(20)));
            assertTrue(journal.version() > seen);
            journal.awaitChange(journal.version(), Deadline.in(new SystemTime(), Duration.ZERO));
        }
        assertEquals(List.of(), faults);
    }

    /** Else a watchdog takes a journal that has nothing to write for one that hangs. */
    @Test
    void nothingThatWaitsIsSaidWhenAllIsWritten() throws Exception {
        try (Journal journal = open(directory.resolve("j"))) {
            journal.keep(record("v1"));
            Eventually.holds(() -> journal.head().isEmpty(), "it waits for nothing");
            assertEquals(Optional.empty(), journal.usedBy("a1", "other"));
            assertEquals(Optional.empty(), journal.usedBy("a2", "data"));
        }
    }

    @Test
    void manyAtOnceAreAllThere() throws Exception {
        Path file = directory.resolve("j");
        try (Journal journal = open(file)) {
            List<Thread> writers = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                VolumeRecord record = record("v" + i);
                writers.add(threads.vitalWork("test/" + i, () -> {
                    try {
                        journal.keep(record);
                    } catch (DiskTrouble trouble) {
                        faults.add(trouble);
                    }
                }));
            }
            for (Thread writer : writers) {
                writer.join();
            }
        }
        try (Journal journal = open(file)) {
            assertEquals(64, journal.volumes().size());
        }
        assertEquals(List.of(), faults);
    }

    @Test
    void aFullDiskIsARefusalAndGoesOnWhenThereIsRoom() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: a small file system needs root, and the tests run as another user");
        Path small = Files.createDirectory(directory.resolve("small")).toRealPath();
        Mounts.linux().mount("cleat-test", small, "tmpfs", Set.of(), "size=32k");
        try {
            Path file = small.resolve("j");
            try (Journal journal = open(file)) {
                journal.keep(record("v1"));
                fill(small.resolve("filler"));
                int kept = 0;
                Set<VolumeRecord> before = all(journal);
                DiskTrouble refusal = null;
                while (refusal == null) {
                    before = all(journal);
                    try {
                        journal.keep(record("x" + kept++));
                    } catch (DiskTrouble full) {
                        refusal = full;
                    }
                    assertTrue(kept < 100, "the disk never became full");
                }
                assertTrue(refusal.reason().contains("No space left"), refusal.reason());
                assertEquals(before, all(journal));
                assertThrows(DiskTrouble.class, () -> journal.keep(record("y")));
                Files.delete(small.resolve("filler"));
                journal.keep(record("z"));
                Set<VolumeRecord> after = new HashSet<>(before);
                after.add(record("z"));
                assertEquals(after, all(journal));
                try (Journal again = open(file)) {
                    assertEquals(after, all(again));
                    assertEquals(Optional.empty(), again.torn());
                }
            }
        } finally {
            Mounts.linux().unmount(small);
        }
    }

    private static void fill(Path filler) {
        byte[] page = new byte[4096];
        try (var out = Files.newOutputStream(filler, StandardOpenOption.CREATE_NEW)) {
            while (true) {
                out.write(page);
            }
        } catch (IOException full) {
            assertTrue(String.valueOf(full.getMessage()).contains("No space"), full.toString());
        }
    }
}
