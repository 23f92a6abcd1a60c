package io.cleat.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refused;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The stored formats. A sample of each version lies under {@code history} and is read for ever; to
 * write that of a new version: {@code mvn test -pl state -am -Dtest=HistoryTest
 * -Dtest.jvm.more=-Dcleat.write=true}. One that is there is never written again.
 */
final class HistoryTest {
    private static final Path HISTORY =
            Path.of(
                    System.getProperty("cleat.root", ".."),
                    "state",
                    "src",
                    "test",
                    "resources",
                    "history");

    private static ClusterState image() {
        return ClusterState.empty().apply(Samples.everyChange(), 1, Samples.AT);
    }

    private static byte[] snapshot(ClusterState state) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Snapshot.write(state, bytes);
        return bytes.toByteArray();
    }

    private static ClusterState read(byte[] bytes) throws IOException, DiskTrouble {
        return Snapshot.read(new ByteArrayInputStream(bytes));
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
        byte[] stored = sample("changes-3", ChangeCodec.encode(Samples.everyChange()));
        assertEquals(Samples.everyChange(), ChangeCodec.decode(stored));
    }

    @Test
    void theSampleHasEveryKindOfRemainder() {
        assertEquals(
                Arrays.stream(Remainder.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .collect(Collectors.toSet()),
                Samples.everyRemainder().stream()
                        .map(what -> what.getClass().getSimpleName())
                        .collect(Collectors.toSet()));
    }

    @Test
    void theSnapshotOfVersion1IsRead() throws IOException, DiskTrouble {
        ClusterState image = ClusterState.empty().apply(Samples.changesOfVersion1(), 1, Samples.AT);
        byte[] stored = sample("snapshot-1", snapshot(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(read(stored)));
    }

    @Test
    void theSnapshotOfVersion2IsRead() throws IOException, DiskTrouble {
        ClusterState image =
                ClusterState.empty().apply(Samples.changesUpToVersion2(), 1, Samples.AT);
        byte[] stored = sample("snapshot-2", snapshot(image));
        assertEquals(Snapshot.digest(image), Snapshot.digest(read(stored)));
    }

    @Test
    void theSnapshotOfVersion3IsRead() throws IOException, DiskTrouble {
        byte[] stored = sample("snapshot-3", snapshot(image()));
        assertEquals(Snapshot.digest(image()), Snapshot.digest(read(stored)));
    }

    @Test
    void anImageReadBackIsTheSameImage() throws IOException, DiskTrouble {
        ClusterState state = image();
        ClusterState back = read(snapshot(state));
        assertArrayEquals(snapshot(state), snapshot(back));
        assertEquals(
                state.claimsOf(Samples.KEY), back.claimsOf(Samples.KEY), "indexes are rebuilt");
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
        ClusterState back = read(snapshot(image()));
        JobRow job = back.job(Samples.JOB).orElseThrow();
        assertSame(job.spec(), back.jobVersion(job.current()).orElseThrow().spec());
    }

    @Test
    void aSnapshotIsReadNoFurtherThanItsEnd() throws IOException, DiskTrouble {
        byte[] bytes = snapshot(image());
        InputStream in = new ByteArrayInputStream(Arrays.copyOf(bytes, bytes.length + 3));
        Snapshot.read(in);
        assertEquals(3, in.available());
    }

    @Test
    void aTornSnapshotIsRefusedWhereverItIsTorn() throws IOException {
        byte[] bytes = snapshot(image());
        for (int length = 0; length < bytes.length; length += 97) {
            byte[] torn = Arrays.copyOf(bytes, length);
            assertThrows(DiskTrouble.class, () -> read(torn), "at " + length);
        }
    }

    @Test
    void aChangedByteIsFound() throws IOException {
        byte[] bytes = snapshot(image());
        for (int at = 0; at < bytes.length; at += 101) {
            byte[] damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assertThrows(DiskTrouble.class, () -> read(damaged), "at " + at);
        }
    }

    @Test
    void aNewerSnapshotIsRefusedWithItsNumber() throws IOException {
        byte[] newer = snapshot(image());
        ByteBuffer.wrap(newer).putShort(4 + 4, (short) 9);
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> read(newer));
        assertTrue(trouble.reason().contains("version 9"), trouble.reason());
    }

    @Test
    void newerChangesAreRefusedWithTheirNumber() throws Refused {
        byte[] newer = ChangeCodec.encode(List.of(new Change.ClusterFormed("c")));
        ByteBuffer.wrap(newer).putShort(4, (short) 12);
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> ChangeCodec.decode(newer));
        assertTrue(trouble.reason().contains("version 12"), trouble.reason());
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
