package io.cleat.server.commit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The stored formats. The samples under {@code history} are never edited, and are read for ever. */
final class EntryCodecTest {
    private static final Instant AT = Instant.parse("2026-03-04T05:06:07.000000089Z");
    private static final Map<String, Entry> SAMPLES = Map.of(
            "entry-v1-opened.hex",
            new Entry.ReignOpened("0c8e7a0e-1111-4222-8333-444455556666"),
            "entry-v1-changes.hex",
            new Entry.ChangeSet(
                    "0c8e7a0e-1111-4222-8333-444455556666",
                    7,
                    41,
                    AT,
                    List.of(
                            new Entry.Decided(0, bytes("first")),
                            new Entry.Decided(2, new byte[0]),
                            new Entry.Decided(0, bytes("second")))),
            "entry-v1-digest.hex",
            new Entry.DigestTaken("0c8e7a0e-1111-4222-8333-444455556666", 8, 44, -5),
            "entry-v2-sum.hex",
            new Entry.SumTaken("0c8e7a0e-1111-4222-8333-444455556666", 9, 45, -6));
    private static final Applied<Journal> SNAPSHOT = snapshot(new Reign("earlier", 1, 3), new Reign("open", 2, 1));

    /** An older program did not note the first decision of a reign. */
    private static final Applied<Journal> SNAPSHOT_1 = snapshot(new Reign("earlier", 0, 3), new Reign("open", 0, 1));

    private static Applied<Journal> snapshot(Reign... reigns) {
        return new Applied<>(new Journal(List.of(new Journal.Line("first", 1, AT))), 1, AT, 1, List.of(reigns));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] sample(String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(EntryCodecTest.class.getResourceAsStream("/history/" + name), name)) {
            return java.util.HexFormat.of().parseHex(new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip());
        }
    }

    @Test
    void everySampleIsRead() throws Exception {
        for (Map.Entry<String, Entry> sample : SAMPLES.entrySet()) {
            assertEquals(sample.getValue(), EntryCodec.decode(sample(sample.getKey())));
        }
        assertEquals(
                SNAPSHOT_1,
                SnapshotCodec.read(new ByteArrayInputStream(sample("snapshot-v1.hex")), new Journal.Machine(1)));
        assertEquals(
                SNAPSHOT,
                SnapshotCodec.read(new ByteArrayInputStream(sample("snapshot-v2.hex")), new Journal.Machine(1)));
    }

    @Test
    void whatIsWrittenTodayIsTheNewestSample() throws Exception {
        for (Map.Entry<String, Entry> sample : SAMPLES.entrySet()) {
            assertArrayEquals(sample(sample.getKey()), EntryCodec.encode(sample.getValue()));
        }
        ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
        SnapshotCodec.write(SNAPSHOT, new Journal.Machine(1), snapshot);
        assertArrayEquals(sample("snapshot-v2.hex"), snapshot.toByteArray());
    }

    @Test
    void newerFormatIsRefusedWithItsNumber() throws Exception {
        byte[] entry = sample("entry-v1-opened.hex");
        entry[5] = 9;
        DiskTrouble refused = assertThrows(DiskTrouble.class, () -> EntryCodec.decode(entry));
        assertTrue(refused.reason().contains("format 9"), refused.reason());
        byte[] snapshot = sample("snapshot-v2.hex");
        snapshot[5] = 4;
        refused = assertThrows(
                DiskTrouble.class,
                () -> SnapshotCodec.read(new ByteArrayInputStream(snapshot), new Journal.Machine(1)));
        assertTrue(refused.reason().contains("format 4"), refused.reason());
    }

    @Test
    void everyFlippedBitAndEveryCutIsNoticed() throws Exception {
        byte[] whole = sample("entry-v1-changes.hex");
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThrows(DiskTrouble.class, () -> EntryCodec.decode(flipped));
        }
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(whole, length);
            assertThrows(DiskTrouble.class, () -> EntryCodec.decode(cut));
        }
    }
}
