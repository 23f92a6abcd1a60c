package io.cleat.server.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.server.ClusterMachine;
import io.cleat.state.ClusterState;
import io.cleat.testkit.HostileBytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Entries and heads of snapshots of extreme values, and hostile bytes instead of them. */
class HostileEntriesTest {
    private static final List<Instant> TIMES =
            List.of(Instant.MIN, Instant.MAX, Instant.EPOCH, Instant.parse("-1000000-01-01T00:00:00.000000001Z"));
    private static final List<Long> NUMBERS = List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE);

    private static Entry entry(Random random) {
        long one = NUMBERS.get(random.nextInt(NUMBERS.size()));
        long other = NUMBERS.get(random.nextInt(NUMBERS.size()));
        String reign = random.nextBoolean() ? "" : "\u0000\ud83d\ude00\ud800".repeat(3);
        return switch (random.nextInt(4)) {
            case 0 -> new Entry.ReignOpened(reign);
            case 1 -> new Entry.DigestTaken(reign, one, other, random.nextLong());
            case 2 -> new Entry.SumTaken(reign, one, other, random.nextLong());
            default -> {
                List<Entry.Decided> decisions = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    byte[] changes = new byte[random.nextInt(300)];
                    random.nextBytes(changes);
                    decisions.add(new Entry.Decided(random.nextInt(), changes));
                }
                Instant at = TIMES.get(random.nextInt(TIMES.size()));
                yield new Entry.ChangeSet(reign, one, other, at, decisions);
            }
        };
    }

    @Test
    void everyEntryIsReadBackAsItWas() throws DiskTrouble {
        for (int seed = 0; seed < 2000; seed++) {
            Entry entry = entry(new Random(seed * 31L));
            assertEquals(entry, EntryCodec.decode(EntryCodec.encode(entry)), "seed " + seed);
        }
    }

    private static byte[] summed(byte[] bytes, int from) {
        if (bytes.length < from + 4) {
            return bytes;
        }
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, bytes.length - 4);
        return ByteBuffer.wrap(bytes.clone())
                .putInt(bytes.length - 4, (int) sum.getValue())
                .array();
    }

    @Test
    void aDamagedEntryIsTroubleAndNothingElse() {
        int troubles = 0;
        for (int seed = 0; seed < 20_000; seed++) {
            byte[] whole = EntryCodec.encode(entry(new Random(seed * 31L)));
            byte[] bytes = new HostileBytes(seed).damaged(whole);
            try {
                EntryCodec.decode(seed % 4 == 0 ? bytes : summed(bytes, 7));
            } catch (DiskTrouble noticed) {
                troubles++;
            } catch (RuntimeException | Error other) {
                throw new AssertionError("seed " + seed, other);
            }
        }
        assertTrue(troubles > 5000, "only " + troubles + " were noticed");
    }

    @Test
    void aDamagedHeadOfASnapshotIsTroubleAndNothingElse() throws IOException {
        ClusterMachine machine = new ClusterMachine();
        Applied<ClusterState> applied =
                Applied.nothing(machine.empty()).opened("one").opened("two");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SnapshotCodec.write(applied, machine, bytes);
        ByteArrayOutputStream image = new ByteArrayOutputStream();
        machine.write(applied.image(), image, applied.featureLevel());
        byte[] whole = bytes.toByteArray();
        byte[] head = Arrays.copyOf(whole, whole.length - image.size());
        int troubles = 0;
        for (int seed = 0; seed < 10_000; seed++) {
            byte[] damaged = summed(new HostileBytes(seed).damaged(head), 7);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(damaged);
            all.writeBytes(image.toByteArray());
            try {
                SnapshotCodec.read(new ByteArrayInputStream(all.toByteArray()), machine);
            } catch (DiskTrouble noticed) {
                troubles++;
            } catch (IOException | RuntimeException | Error other) {
                throw new AssertionError("seed " + seed, other);
            }
        }
        assertTrue(troubles > 3000, "only " + troubles + " were noticed");
    }
}
