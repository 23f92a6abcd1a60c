package io.cleat.clusterapi.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Sha256;
import io.cleat.clusterapi.FixedImages;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.state.ClusterState;
import io.cleat.state.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SnapshotFileTest {
    @TempDir
    Path directory;

    private static byte[] written(ClusterState state) throws IOException {
        SnapshotFile file = SnapshotFile.of(new FixedImages(state).save());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        file.write(bytes);
        assertArrayEquals(Sha256.begin().digest(bytes.toByteArray()), file.digest());
        return bytes.toByteArray();
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(directory.resolve("file"), bytes);
    }

    @Test
    void whatIsWrittenIsRead() throws Exception {
        ClusterState state = SampleCluster.whole().state();
        SavedFile read = SavedFile.read(file(written(state)));
        assertEquals(
                Snapshot.digest(state), Snapshot.digest(read.saved().applied().image()));
        assertEquals(state.version(), read.meta().Index());
        assertEquals(state.clusterId().orElse(""), read.meta().ClusterID());
        assertEquals(state.decidedAt(), read.meta().DecidedAt());
    }

    /** As any program for such archives reads it, and its sums are what it says. */
    @Test
    void theMachinesProgramsReadIt() throws Exception {
        file(written(SampleCluster.whole().state()));
        Process reads = new ProcessBuilder("sh", "-c", "tar -xzf file && sha256sum -c SHA256SUMS")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(reads.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(reads.waitFor(30, TimeUnit.SECONDS));
        assertEquals("meta.json: OK\nstate.bin: OK\n", said);
    }

    @Test
    void whatIsDamagedCutOrNoneIsRefused() throws Exception {
        byte[] whole = written(SampleCluster.whole().state());
        Random chance = new Random(26);
        for (int i = 0; i < 200; i++) {
            byte[] damaged = whole.clone();
            damaged[10 + chance.nextInt(whole.length - 40)] ^= (byte) (1 << chance.nextInt(8));
            assertRefused(damaged);
            assertRefused(Arrays.copyOf(whole, chance.nextInt(whole.length)));
        }
        assertRefused(new byte[0]);
        assertRefused("no archive".getBytes(StandardCharsets.UTF_8));
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream to = new GZIPOutputStream(zipped)) {
            to.write(new byte[10_000]);
        }
        assertRefused(zipped.toByteArray());
    }

    private void assertRefused(byte[] bytes) throws IOException {
        Path file = file(bytes);
        DiskTrouble refused = assertThrows(DiskTrouble.class, () -> SavedFile.read(file));
        assertTrue(refused.reason().contains(file.toString()), refused.reason());
    }
}
