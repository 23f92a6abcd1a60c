package io.cleat.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refused;
import io.cleat.testkit.HostileBytes;
import io.cleat.testkit.HostileFormat;
import io.cleat.testkit.HostileRecords;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Changes and snapshots of hostile values: refused when written, or read back as they were. */
class HostileStateTest {
    private static final int RECORDS = 800;
    private static final int DAMAGES = 1000;

    @Test
    void everyChangeIsRefusedOrReadBackAsItWas() {
        HostileFormat.assertReadsBack(ChangeCodec.CODEC, RECORDS, HostileStateTest::changes);
    }

    private static ChangeCodec.Changes changes(HostileRecords records) {
        return new ChangeCodec.Changes(List.of(records.next(Change.class)));
    }

    @Test
    void anImageOfWhatWasReadBackIsASnapshotThatIsReadBack() throws IOException, DiskTrouble {
        for (long seed = 0; seed < 15; seed++) {
            HostileRecords records = new HostileRecords(seed);
            ClusterState image = ClusterState.empty();
            for (int i = 1; i <= 50; i++) {
                image = image.apply(readBack(records), i, Instant.ofEpochSecond(i));
            }
            assertEquals(Snapshot.digest(image), Snapshot.digest(SnapshotBytes.readBack(image)), "seed " + seed);
        }
    }

    private static List<Change> readBack(HostileRecords records) throws DiskTrouble {
        byte @Nullable [] bytes = null;
        while (bytes == null) {
            try {
                bytes = ChangeCodec.encode(List.of(records.next(Change.class)));
            } catch (Refused another) {
                bytes = null;
            }
        }
        return ChangeCodec.decode(bytes);
    }

    @Test
    void damagedChangesAreTroubleAndNothingElse() {
        HostileFormat.assertDamageIsTrouble(ChangeCodec.CODEC, DAMAGES, HostileStateTest::changes);
    }

    @Test
    void aDamagedSnapshotIsTroubleAndNothingElse() throws Exception {
        List<byte[]> parts = parts(SnapshotBytes.of(ClusterState.empty().apply(SampleChanges.all(), 1, Instant.EPOCH)));
        int troubles = 0;
        for (int seed = 0; seed < 300; seed++) {
            HostileBytes damage = new HostileBytes(seed);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int i = 0; i < parts.size(); i++) {
                byte[] part = i == seed % parts.size() ? damage.resealed(parts.get(i)) : parts.get(i);
                bytes.writeBytes(lengthOf(part));
                bytes.writeBytes(part);
            }
            try {
                SnapshotBytes.read(bytes.toByteArray());
            } catch (DiskTrouble trouble) {
                troubles++;
            } catch (IOException | RuntimeException | Error other) {
                throw new AssertionError("seed " + seed, other);
            }
        }
        assertTrue(troubles > 150, "only " + troubles + " were noticed");
    }

    @Test
    void aPartThatClaimsMoreThanThereIsTakesNoMemoryForIt() throws Exception {
        long before = Runtime.getRuntime().totalMemory();
        for (int i = 0; i < 2000; i++) {
            byte[] promise = {0x03, -1, -1, -1, 's', 'n', 'a', 'p'};
            try {
                SnapshotBytes.read(promise);
                throw new AssertionError("it was read");
            } catch (DiskTrouble torn) {
                assertTrue(torn.reason().contains("ends in the middle"), torn.reason());
            }
        }
        assertTrue(Runtime.getRuntime().totalMemory() - before < 512L << 20);
    }

    private static byte[] lengthOf(byte[] part) {
        return ByteBuffer.allocate(4).putInt(part.length).array();
    }

    private static List<byte[]> parts(byte[] snapshot) {
        ByteBuffer left = ByteBuffer.wrap(snapshot);
        List<byte[]> parts = new ArrayList<>();
        while (left.hasRemaining()) {
            byte[] part = new byte[left.getInt()];
            left.get(part);
            parts.add(part);
        }
        return parts;
    }
}
