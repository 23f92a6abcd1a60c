package io.cleat.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Since;
import io.cleat.testkit.OtherVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The stored formats. A sample of each version lies under {@code history} and is read for ever; to write that of a new
 * version: {@code mvn test -pl state -am -Dtest=HistoryTest -Dtest.jvm.more=-Dcleat.write=true}. One that is there is
 * never written again.
 */
final class HistoryTest {
    private static final Path HISTORY =
            Path.of(System.getProperty("cleat.root", ".."), "state", "src", "test", "resources", "history");

    private static ClusterState image() {
        return ClusterState.empty().apply(Samples.everyChange(), 1, Samples.AT);
    }

    private static byte[] sample(String name, byte[] now) throws IOException {
        if (Boolean.getBoolean("cleat.write")) {
            Files.createDirectories(HISTORY);
            Path file = HISTORY.resolve(name);
            if (!Files.exists(file)) {
                Files.write(file, now, StandardOpenOption.CREATE_NEW);
            }
        }
        return Files.readAllBytes(HISTORY.resolve(name));
    }

    @Test
    void theSampleHasEveryKindOfChange() {
        assertEquals(
                Arrays.stream(Change.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .collect(Collectors.toSet()),
                Samples.everyChange().stream()
                        .map(change -> change.getClass().getSimpleName())
                        .collect(Collectors.toSet()));
    }

    @Test
    void changesOfVersion1AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-1", ChangeCodec.encode(Samples.changesOfVersion1()));
        assertEquals(Samples.changesOfVersion1(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion2AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-2", ChangeCodec.encode(Samples.changesUpToVersion2()));
        assertEquals(Samples.changesUpToVersion2(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion3AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-3", ChangeCodec.encode(Samples.changesUpToVersion3()));
        assertEquals(Samples.changesUpToVersion3(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion4AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-4", ChangeCodec.encode(Samples.changesUpToVersion4()));
        assertEquals(Samples.changesUpToVersion4(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion5AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-5", ChangeCodec.encode(Samples.changesUpToVersion5()));
        assertEquals(Samples.changesUpToVersion5(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion6AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-6", ChangeCodec.encode(Samples.changesUpToVersion6()));
        assertEquals(Samples.changesUpToVersion6(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion7AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-7", ChangeCodec.encode(Samples.changesUpToVersion7()));
        assertEquals(Samples.changesUpToVersion7(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion8AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-8", ChangeCodec.encode(Samples.changesUpToVersion8()));
        assertEquals(Samples.changesUpToVersion8(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion9AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-9", ChangeCodec.encode(Samples.changesUpToVersion9()));
        assertEquals(Samples.changesUpToVersion9(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion10AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-10", ChangeCodec.encode(Samples.changesUpToVersion10()));
        assertEquals(Samples.changesUpToVersion10(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion11AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-11", ChangeCodec.encode(Samples.changesUpToVersion11()));
        assertEquals(Samples.changesUpToVersion11(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion12AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-12", ChangeCodec.encode(Samples.changesUpToVersion12()));
        assertEquals(Samples.changesUpToVersion12(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion13AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-13", ChangeCodec.encode(Samples.changesUpToVersion13()));
        assertEquals(Samples.changesUpToVersion13(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion14AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-14", ChangeCodec.encode(Samples.changesUpToVersion14()));
        assertEquals(Samples.changesUpToVersion14(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion15AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-15", ChangeCodec.encode(Samples.changesUpToVersion15()));
        assertEquals(Samples.changesUpToVersion15(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion16AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-16", ChangeCodec.encode(Samples.changesUpToVersion16()));
        assertEquals(Samples.changesUpToVersion16(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion17AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-17", ChangeCodec.encode(Samples.changesUpToVersion17()));
        assertEquals(Samples.changesUpToVersion17(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion18AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-18", ChangeCodec.encode(Samples.changesUpToVersion18()));
        assertEquals(Samples.changesUpToVersion18(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion19AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-19", ChangeCodec.encode(Samples.changesUpToVersion19()));
        assertEquals(Samples.changesUpToVersion19(), ChangeCodec.decode(stored));
    }

    @Test
    void changesOfVersion20AreRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-20", ChangeCodec.encode(Samples.everyChange()));
        assertEquals(Samples.everyChange(), ChangeCodec.decode(stored));
    }

    private static List<List<Change>> samplesByVersion() {
        return List.of(
                Samples.changesOfVersion1(),
                Samples.changesUpToVersion2(),
                Samples.changesUpToVersion3(),
                Samples.changesUpToVersion4(),
                Samples.changesUpToVersion5(),
                Samples.changesUpToVersion6(),
                Samples.changesUpToVersion7(),
                Samples.changesUpToVersion8(),
                Samples.changesUpToVersion9(),
                Samples.changesUpToVersion10(),
                Samples.changesUpToVersion11(),
                Samples.changesUpToVersion12(),
                Samples.changesUpToVersion13(),
                Samples.changesUpToVersion14(),
                Samples.changesUpToVersion15(),
                Samples.changesUpToVersion16(),
                Samples.changesUpToVersion17(),
                Samples.changesUpToVersion18(),
                Samples.changesUpToVersion19(),
                Samples.everyChange());
    }

    /** So a program that knows no later level reads them; and so nothing grows without a level. */
    @Test
    void atEachLevelTheBytesAreThoseThatTheProgramOfThatLevelWrote() throws Exception {
        for (int level = 1; level <= samplesByVersion().size(); level++) {
            List<Change> changes = samplesByVersion().get(level - 1);
            String growth = "a kind or a component is stored that level "
                    + level
                    + " does not have: mark it @Since the next level, and raise"
                    + " Change.NEWEST_LEVEL and the versions of chng and snap to it";
            assertArrayEquals(
                    Files.readAllBytes(HISTORY.resolve("changes-" + level)),
                    ChangeCodec.encode(changes, level),
                    growth);
            ByteArrayOutputStream image = new ByteArrayOutputStream();
            Snapshot.write(ClusterState.empty().apply(changes, 1, Samples.AT), image, level);
            assertArrayEquals(Files.readAllBytes(HISTORY.resolve("snapshot-" + level)), image.toByteArray(), growth);
        }
    }

    @Test
    void whatCameWithALevelIsNotWrittenBelowIt() {
        for (Change change : Samples.changesOfVersion2()) {
            assertNotWritten(change, 1);
        }
        List<Change> newKinds = Samples.everyChange().stream()
                .filter(change -> change instanceof Change.EvaluationsMoved
                        || change instanceof Change.RemainderPut
                        || change instanceof Change.RemainderRemoved)
                .toList();
        assertTrue(newKinds.size() > 10, "the sample has " + newKinds.size());
        for (Change change : newKinds) {
            assertNotWritten(change, 1);
            assertNotWritten(change, 2);
        }
        for (Change change : Samples.changesOfVersion4()) {
            assertNotWritten(change, 3);
        }
        for (Change change : Samples.changesOfVersion5()) {
            assertNotWritten(change, 4);
        }
        for (Change change : Samples.changesOfVersion6()) {
            assertNotWritten(change, 5);
        }
        for (Change change : Samples.changesOfVersion7()) {
            assertNotWritten(change, 6);
        }
        for (Change change : Samples.changesOfVersion8()) {
            assertNotWritten(change, 7);
        }
        for (Change change : Samples.changesOfVersion9()) {
            assertNotWritten(change, 8);
        }
        for (Change change : Samples.changesOfVersion10()) {
            assertNotWritten(change, 9);
        }
        for (Change change : Samples.changesOfVersion11()) {
            assertNotWritten(change, 10);
        }
        for (Change change : Samples.changesOfVersion12()) {
            assertNotWritten(change, 11);
        }
        for (Change change : Samples.changesOfVersion14()) {
            assertNotWritten(change, 13);
        }
        for (Change change : Samples.changesOfVersion15()) {
            assertNotWritten(change, 14);
        }
        for (Change change : Samples.changesOfVersion16()) {
            assertNotWritten(change, 15);
        }
        for (Change change : Samples.changesOfVersion17()) {
            assertNotWritten(change, 16);
        }
        for (Change change : Samples.changesOfVersion18()) {
            assertNotWritten(change, 17);
        }
        for (Change change : Samples.changesOfVersion19()) {
            assertNotWritten(change, 18);
        }
        for (Change change : Samples.changesOfVersion20()) {
            assertNotWritten(change, 19);
        }
    }

    private static void assertNotWritten(Change change, int level) {
        Refused refused = assertThrows(
                Refused.class,
                () -> ChangeCodec.encode(List.of(change), level),
                () -> "written at level " + level + ": " + change);
        assertInstanceOf(Refusal.Conflict.class, refused.refusal());
    }

    /** Of version 3 too: what the first sample of it lacks. */
    @Test
    void theRestOfVersion3IsRead() throws IOException, DiskTrouble, Refused {
        byte[] stored = sample("changes-3-templates", ChangeCodec.encode(Samples.templates(), 3));
        assertEquals(Samples.templates(), ChangeCodec.decode(stored));
        assertArrayEquals(stored, ChangeCodec.encode(Samples.templates(), 3));
    }

    /** What programs wrote before levels were kept may be of any. */
    @Test
    void anImageThatIsNewerThanTheLevelIsStillASnapshot() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Snapshot.write(image(), bytes, 1);
        assertEquals(image().sum(), SnapshotBytes.read(bytes.toByteArray()).sum());
    }

    /** A record that is in no sample could grow unnoticed. */
    @Test
    void everyStoredRecordIsInTheSample() throws Exception {
        Set<Class<?>> met = new HashSet<>();
        StoredShapes.meet(Samples.everyChange(), met);
        StoredShapes.meet(Samples.templates(), met);
        Set<String> absent = new TreeSet<>();
        for (Class<?> type : StoredShapes.reachable(Change.class)) {
            if (type.isRecord() && !met.contains(type)) {
                absent.add(type.getName());
            }
        }
        assertEquals(Set.of(), absent);
    }

    /** A new one is read by no older program, so it needs {@link Since} like a component. */
    @Test
    void everyStoredWordIsKnownOrMarkedWithItsLevel() throws Exception {
        Set<String> known = new TreeSet<>(Files.readAllLines(HISTORY.resolve("words-3")));
        Set<String> unmarked = new TreeSet<>();
        Set<String> gone = new TreeSet<>(known);
        for (Class<?> type : StoredShapes.reachable(Change.class)) {
            if (type.isEnum()) {
                for (Object word : type.getEnumConstants()) {
                    String name = type.getName().substring("io.cleat.".length()) + "." + ((Enum<?>) word).name();
                    gone.remove(name);
                    if (!known.contains(name)
                            && type.getField(((Enum<?>) word).name()).getAnnotation(Since.class) == null) {
                        unmarked.add(name);
                    }
                }
            }
        }
        assertEquals(Set.of(), unmarked);
        assertEquals(Set.of(), gone, "these are still read in old logs");
    }

    @Test
    void noFormatIsAheadOfTheLevel() {
        assertTrue(ChangeCodec.CODEC.version() <= Change.NEWEST_LEVEL);
        assertTrue(samplesByVersion().size() == ChangeCodec.CODEC.version(), "a sample is absent");
    }

    /** Members of different age compare it, so it is the same in every later program. */
    @Test
    void theSumOfASampleIsAlwaysTheSame() throws IOException, DiskTrouble {
        ClusterState stored = SnapshotBytes.read(Files.readAllBytes(HISTORY.resolve("snapshot-3")));
        assertEquals("a72527a244a24ea5", Long.toHexString(stored.sum()));
        assertEquals(stored.sumAnew(), stored.sum());
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion3(), 1, Samples.AT);
        assertEquals(image.sum(), stored.sum());
    }

    @Test
    void theSampleHasEveryKindOfRemainder() {
        assertEquals(
                Arrays.stream(Remainder.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .collect(Collectors.toSet()),
                Samples.everyChange().stream()
                        .filter(Change.RemainderPut.class::isInstance)
                        .map(put -> ((Change.RemainderPut) put).remainder().what())
                        .map(what -> what.getClass().getSimpleName())
                        .collect(Collectors.toSet()));
    }

    @Test
    void theSnapshotOfVersion1IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesOfVersion1(), 1, Samples.AT);
        byte[] stored = sample("snapshot-1", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion2IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion2(), 1, Samples.AT);
        byte[] stored = sample("snapshot-2", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion3IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion3(), 1, Samples.AT);
        byte[] stored = sample("snapshot-3", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion4IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion4(), 1, Samples.AT);
        byte[] stored = sample("snapshot-4", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion5IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion5(), 1, Samples.AT);
        byte[] stored = sample("snapshot-5", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion6IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion6(), 1, Samples.AT);
        byte[] stored = sample("snapshot-6", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion7IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion7(), 1, Samples.AT);
        byte[] stored = sample("snapshot-7", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion8IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion8(), 1, Samples.AT);
        byte[] stored = sample("snapshot-8", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion9IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion9(), 1, Samples.AT);
        byte[] stored = sample("snapshot-9", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion10IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion10(), 1, Samples.AT);
        byte[] stored = sample("snapshot-10", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion11IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion11(), 1, Samples.AT);
        byte[] stored = sample("snapshot-11", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion12IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion12(), 1, Samples.AT);
        byte[] stored = sample("snapshot-12", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion13IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion13(), 1, Samples.AT);
        byte[] stored = sample("snapshot-13", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion14IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion14(), 1, Samples.AT);
        byte[] stored = sample("snapshot-14", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion15IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion15(), 1, Samples.AT);
        byte[] stored = sample("snapshot-15", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion16IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion16(), 1, Samples.AT);
        byte[] stored = sample("snapshot-16", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion17IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion17(), 1, Samples.AT);
        byte[] stored = sample("snapshot-17", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion18IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion18(), 1, Samples.AT);
        byte[] stored = sample("snapshot-18", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion19IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesUpToVersion19(), 1, Samples.AT);
        byte[] stored = sample("snapshot-19", SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void theSnapshotOfVersion20IsRead() throws IOException, DiskTrouble {
        byte[] stored = sample("snapshot-20", SnapshotBytes.of(image()));
        assertEquals(Snapshot.digest(image()), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    @Test
    void anImageReadBackIsTheSameImage() throws IOException, DiskTrouble {
        ClusterState state = image();
        ClusterState back = SnapshotBytes.read(SnapshotBytes.of(state));
        assertArrayEquals(SnapshotBytes.of(state), SnapshotBytes.of(back));
        assertEquals(state.claims().of(Samples.KEY), back.claims().of(Samples.KEY), "indexes are rebuilt");
        assertTrue(state.nodes().stream().anyMatch(node -> state.use(node.id()).allocations() > 0));
        for (NodeRow node : state.nodes()) {
            assertEquals(state.use(node.id()), back.use(node.id()), node.id());
        }
        assertEquals(state.pairing().plugins(), back.pairing().plugins());
        assertEquals(state.pairing().attachments(), back.pairing().attachments());
        assertTrue(state.plugins().stream()
                .anyMatch(plugin -> state.presence(plugin.id()).counts().all() > 0));
        for (PluginRow plugin : state.plugins()) {
            assertEquals(
                    state.presence(plugin.id()).counts(),
                    back.presence(plugin.id()).counts(),
                    plugin.id());
        }
        for (TableName table : TableName.values()) {
            assertEquals(state.version(table), back.version(table), table.name());
            assertEquals(state.count(table), back.count(table), table.name());
        }
    }

    @Test
    void everyTableIsInTheSample() {
        for (TableName table : TableName.values()) {
            assertTrue(image().count(table) > 0, table.name());
        }
    }

    @Test
    void aJobsTextIsSharedAfterARestart() throws IOException, DiskTrouble {
        ClusterState back = SnapshotBytes.read(SnapshotBytes.of(image()));
        JobRow job = back.job(Samples.JOB).orElseThrow();
        assertSame(job.spec(), back.jobVersion(job.current()).orElseThrow().spec());
    }

    @Test
    void aSnapshotIsReadNoFurtherThanItsEnd() throws IOException, DiskTrouble {
        byte[] bytes = SnapshotBytes.of(image());
        InputStream in = new ByteArrayInputStream(Arrays.copyOf(bytes, bytes.length + 3));
        Snapshot.read(in);
        assertEquals(3, in.available());
    }

    @Test
    void aTornSnapshotIsRefusedWhereverItIsTorn() throws IOException {
        byte[] bytes = SnapshotBytes.of(image());
        for (int length = 0; length < bytes.length; length += bytes.length / 150) {
            byte[] torn = Arrays.copyOf(bytes, length);
            assertThrows(DiskTrouble.class, () -> SnapshotBytes.read(torn), "at " + length);
        }
    }

    @Test
    void aChangedByteIsFound() throws IOException {
        byte[] bytes = SnapshotBytes.of(image());
        for (int at = 0; at < bytes.length; at += bytes.length / 150) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assertThrows(DiskTrouble.class, () -> SnapshotBytes.read(damaged), "at " + at);
        }
    }

    @Test
    void aNewerSnapshotIsRefusedWithItsNumber() throws IOException {
        byte[] newer = OtherVersion.of(SnapshotBytes.of(image()), 4, 99);
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> SnapshotBytes.read(newer));
        assertTrue(trouble.reason().contains("version 99"), trouble.reason());
    }

    @Test
    void newerChangesAreRefusedWithTheirNumber() throws Refused {
        byte[] newer = OtherVersion.of(ChangeCodec.encode(List.of(new Change.ClusterFormed("c"))), 0, 99);
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> ChangeCodec.decode(newer));
        assertTrue(trouble.reason().contains("version 99"), trouble.reason());
    }

    @Test
    void theImageIsDigestedTheSameWhateverTheOrderItWasMadeIn() {
        VolumeRow b = Samples.volume(Samples.VOLUME, Samples.KEY);
        List<Change> one = List.of(new Change.VolumePut(b), new Change.NodePut(Samples.node("n")));
        assertEquals(
                Snapshot.digest(ClusterState.empty().apply(one, 1, Samples.AT)),
                Snapshot.digest(ClusterState.empty().apply(one.reversed(), 1, Samples.AT)));
    }

    @Test
    void aSecretIsNeverPrinted() {
        String text = Samples.everyChange().toString();
        assertTrue(!text.contains("c2VjcmV0") && !text.contains("noatime"), text);
    }
}
