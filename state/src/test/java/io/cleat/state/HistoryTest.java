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
import io.cleat.testkit.History;
import io.cleat.testkit.OtherVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The stored formats. A sample of each version is read for ever; {@link History} says how that of a new version is
 * written.
 */
final class HistoryTest {
    private static final History HISTORY = new History("state");

    private static ClusterState image() {
        return ClusterState.empty().apply(SampleChanges.all(), 1, Samples.AT);
    }

    @Test
    void theSampleHasEveryKindOfChange() {
        assertEquals(
                Arrays.stream(Change.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .collect(Collectors.toSet()),
                SampleChanges.all().stream()
                        .map(change -> change.getClass().getSimpleName())
                        .collect(Collectors.toSet()));
    }

    private static IntStream versions() {
        return IntStream.rangeClosed(1, SampleChanges.versions());
    }

    @ParameterizedTest
    @MethodSource("versions")
    void theChangesOfEachVersionAreRead(int version) throws IOException, DiskTrouble, Refused {
        List<Change> changes = SampleChanges.upTo(version);
        byte[] stored = HISTORY.sample("changes-" + version, ChangeCodec.encode(changes));
        assertEquals(changes, ChangeCodec.decode(stored));
    }

    @ParameterizedTest
    @MethodSource("versions")
    void theSnapshotOfEachVersionIsRead(int version) throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(SampleChanges.upTo(version), 1, Samples.AT);
        byte[] stored = HISTORY.sample("snapshot-" + version, SnapshotBytes.of(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.read(stored)));
    }

    /** So a program that knows no later level reads them; and so nothing grows without a level. */
    @Test
    void atEachLevelTheBytesAreThoseThatTheProgramOfThatLevelWrote() throws Exception {
        for (int level = 1; level <= SampleChanges.versions(); level++) {
            List<Change> changes = SampleChanges.upTo(level);
            String growth = "a kind or a component is stored that level "
                    + level
                    + " does not have: mark it @Since the next level, and raise"
                    + " Change.NEWEST_LEVEL and the versions of chng and snap to it";
            assertArrayEquals(HISTORY.read("changes-" + level), ChangeCodec.encode(changes, level), growth);
            ByteArrayOutputStream image = new ByteArrayOutputStream();
            Snapshot.write(ClusterState.empty().apply(changes, 1, Samples.AT), image, level);
            assertArrayEquals(HISTORY.read("snapshot-" + level), image.toByteArray(), growth);
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void whatCameWithALevelIsNotWrittenBelowIt(int level) {
        for (Change change : SampleChanges.of(level)) {
            // An evaluation that is there to be moved is no newer than the first.
            int since = level == 3 && change instanceof Change.EvaluationPut ? 1 : level;
            for (int below = 1; below < since; below++) {
                assertNotWritten(change, below);
            }
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
        byte[] stored = HISTORY.sample("changes-3-templates", ChangeCodec.encode(SampleChanges.templates(), 3));
        assertEquals(SampleChanges.templates(), ChangeCodec.decode(stored));
        assertArrayEquals(stored, ChangeCodec.encode(SampleChanges.templates(), 3));
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
        StoredShapes.meet(SampleChanges.all(), met);
        StoredShapes.meet(SampleChanges.templates(), met);
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
        Set<String> known = new TreeSet<>(HISTORY.lines("words-3"));
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
        assertTrue(SampleChanges.versions() == ChangeCodec.CODEC.version(), "a sample is absent");
    }

    /** Members of different age compare it, so it is the same in every later program. */
    @Test
    void theSumOfASampleIsAlwaysTheSame() throws IOException, DiskTrouble {
        ClusterState stored = SnapshotBytes.read(HISTORY.read("snapshot-3"));
        assertEquals("a72527a244a24ea5", Long.toHexString(stored.sum()));
        assertEquals(stored.sumAnew(), stored.sum());
        ClusterState image = ClusterState.empty().apply(SampleChanges.upTo(3), 1, Samples.AT);
        assertEquals(image.sum(), stored.sum());
    }

    @Test
    void theSampleHasEveryKindOfRemainder() {
        assertEquals(
                Arrays.stream(Remainder.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .collect(Collectors.toSet()),
                SampleChanges.all().stream()
                        .filter(Change.RemainderPut.class::isInstance)
                        .map(put -> ((Change.RemainderPut) put).remainder().what())
                        .map(what -> what.getClass().getSimpleName())
                        .collect(Collectors.toSet()));
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
        String text = SampleChanges.all().toString();
        assertTrue(!text.contains("c2VjcmV0") && !text.contains("noatime"), text);
    }
}
