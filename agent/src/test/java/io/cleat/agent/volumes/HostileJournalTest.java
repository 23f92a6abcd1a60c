package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.testkit.HostileBytes;
import io.cleat.testkit.HostileFormat;
import io.cleat.testkit.HostileRecords;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal of hostile values, and hostile bytes in its file. */
class HostileJournalTest {
    @TempDir
    Path directory;

    @Test
    void everyBatchIsRefusedOrReadBackAsItWas() {
        HostileFormat.assertReadsBack(JournalFile.BATCH, JournalFile.Batch.class, 300);
        HostileFormat.assertDamageIsTrouble(JournalFile.BATCH, JournalFile.Batch.class, 800);
    }

    @Test
    void aDamagedFileIsOpenedOrTroubleAndNothingElse() throws Exception {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        byte[] head = JournalFile.HEAD.encode(new JournalFile.Head(3));
        whole.writeBytes(head);
        for (int i = 0; i < 4; i++) {
            whole.writeBytes(JournalFile.BATCH.encode(
                    new JournalFile.Batch(List.of(new JournalFile.Entry.Gone("plugin", "volume-" + i)))));
        }
        int troubles = 0;
        for (int seed = 0; seed < 1500; seed++) {
            Path file = directory.resolve("journal-" + seed);
            Files.write(file, new HostileBytes(seed).damaged(whole.toByteArray()));
            try (JournalFile opened = new JournalFile(file)) {
                assertTrue(opened.found().size() <= 5);
            } catch (DiskTrouble noticed) {
                troubles++;
            } catch (RuntimeException | Error other) {
                throw new AssertionError("seed " + seed, other);
            }
        }
        assertTrue(troubles > 300, "only " + troubles + " were noticed");
    }

    /** Changes of several volumes share a batch; one that cannot be written is its own fault. */
    @Test
    void aRecordThatCannotBeReadBackIsRefusedAloneAndTheJournalGoesOn() throws Exception {
        Path file = directory.resolve("journal");
        Threads threads = Threads.virtual((where, fault) -> {});
        VolumeRecord good = record("good");
        try (Journal journal = Journal.open(file, threads, new SystemTime())) {
            DiskTrouble refused = assertThrows(DiskTrouble.class, () -> journal.keep(record("half \ud800")));
            assertTrue(refused.reason().contains("read back"), refused.reason());
            journal.keep(good);
        }
        try (Journal journal = Journal.open(file, threads, new SystemTime())) {
            assertEquals(List.of(good), journal.volumes());
        }
    }

    /** A volume in use, of which all but the id can be kept. */
    private static VolumeRecord record(String externalId) {
        for (int seed = 0; ; seed++) {
            VolumeRecord made = new HostileRecords(seed).next(VolumeRecord.class);
            if (!made.isEmpty() && isWritable(made)) {
                return new VolumeRecord(made.pluginId(), externalId, made.staging(), made.uses(), made.expandedTo());
            }
        }
    }

    private static boolean isWritable(VolumeRecord record) {
        try {
            JournalFile.requireWritable(new JournalFile.Entry.Kept(record));
            return true;
        } catch (DiskTrouble refused) {
            return false;
        }
    }
}
