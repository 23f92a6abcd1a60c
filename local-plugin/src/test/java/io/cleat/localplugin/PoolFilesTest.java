package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Ids;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The small files of the pool: snapshots, groups, and the pool's own. */
class PoolFilesTest {
    private static final Snapshot SNAPSHOT = new Snapshot(
            "11111111-2222-3333-4444-555555555555",
            "before the\nupgrade, 100 %",
            VolumeType.XFS,
            1767225600001L,
            "0b8a6f1e-3c5d-4e7f-8a9b-0c1d2e3f4a5b",
            314572800,
            Optional.of("99999999-2222-3333-4444-555555555555"));
    private static final Groups.Group GROUP = new Groups.Group(
            "99999999-2222-3333-4444-555555555555",
            "all of it",
            1767225600000L,
            List.of("11111111-2222-3333-4444-555555555555", "m2"));

    @TempDir
    Path directory;

    @Test
    void snapshotsAreWrittenAndReadAsEverBefore() throws Exception {
        SnapshotFile form = new SnapshotFile();
        byte[] sample = Samples.bytes("snapshot-1", form.write(SNAPSHOT));
        assertEquals(SNAPSHOT, form.read(sample, "sample"));
        assertEquals(text(sample), text(form.write(SNAPSHOT)));
        assertThrows(
                DiskTrouble.class,
                () -> form.read(new Facts("snapshot", 1).add("id", "x").bytes(), "file"));
    }

    @Test
    void groupsAreWrittenAndReadAsEverBefore() throws Exception {
        byte[] sample = Samples.bytes("group-1", Groups.write(GROUP));
        assertEquals(GROUP, Groups.read(sample, "sample"));
        assertEquals(text(sample), text(Groups.write(GROUP)));
    }

    @Test
    void aPoolKeepsItsId() throws Exception {
        Path root = directory.resolve("pool");
        String id = open(root).id();
        assertEquals(id, open(root).id());
        byte[] sample = Samples.bytes(
                "pool-1", new Facts("pool", 1).add("id", "the-pool").bytes());
        Files.write(root.resolve("pool"), sample);
        assertEquals("the-pool", open(root).id());
    }

    @Test
    void aPoolInThePlaceOfAnotherIsNotTakenForIt() throws Exception {
        Path root = directory.resolve("pool");
        Pool pool = open(root);
        Files.move(root, directory.resolve("away"));
        CallRefused gone = assertThrows(CallRefused.class, pool::requireThere);
        assertTrue(gone.sentence().contains("is gone"), gone::sentence);
        open(root);
        CallRefused other = assertThrows(CallRefused.class, pool::requireThere);
        assertTrue(other.sentence().contains("another pool"), other::sentence);
    }

    private static Pool open(Path root) throws Exception {
        return Pool.open(root, Optional.empty(), new FakeTime(), Ids.random());
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
