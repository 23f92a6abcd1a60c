package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refused;
import io.cleat.codec.Difference;
import io.cleat.codec.RecordCodec;
import java.util.Optional;
import java.util.function.Function;

/** What must hold of a stored or sent format whatever is put into it, and whatever is read. */
public final class HostileFormat {
    private HostileFormat() {}

    /** Each record is refused when it is written, or read back as it was. */
    public static <T> void assertReadsBack(RecordCodec<T> format, Class<T> type, int times) {
        assertReadsBack(format, times, records -> records.next(type));
    }

    /** As above, for records that are made of others. */
    public static <T> void assertReadsBack(RecordCodec<T> format, int times, Function<HostileRecords, T> made) {
        int read = 0;
        int refusals = 0;
        for (int seed = 0; seed < times; seed++) {
            T record = made.apply(new HostileRecords(seed));
            try {
                T back = format.decode(format.encode(record));
                assertEquals(Optional.empty(), Difference.between(record, back), "seed " + seed);
                read++;
            } catch (Refused another) {
                refusals++;
            } catch (DiskTrouble | RuntimeException | StackOverflowError broken) {
                throw new AssertionError("seed " + seed + ": written, and not read", broken);
            }
        }
        assertTrue(refusals < times / 2, refusals + " were refused");
        assertEquals(times, read + refusals);
    }

    /** Whatever bytes are read, they are a record or trouble. */
    public static <T> void assertDamageIsTrouble(RecordCodec<T> format, Class<T> type, int times) {
        assertDamageIsTrouble(format, times, records -> records.next(type));
    }

    /** As above, for records that are made of others. */
    public static <T> void assertDamageIsTrouble(RecordCodec<T> format, int times, Function<HostileRecords, T> made) {
        int troubles = 0;
        int refusals = 0;
        for (int seed = 0; seed < times; seed++) {
            HostileBytes damage = new HostileBytes(seed);
            try {
                byte[] whole = format.encode(made.apply(new HostileRecords(seed)));
                format.decode(seed % 4 == 0 ? damage.damaged(whole) : damage.resealed(whole));
            } catch (DiskTrouble noticed) {
                troubles++;
            } catch (Refused another) {
                refusals++;
            } catch (RuntimeException | Error other) {
                throw new AssertionError("seed " + seed, other);
            }
        }
        assertTrue(troubles > times / 4, "only " + troubles + " were noticed");
        assertTrue(refusals < times / 2, refusals + " were refused");
    }
}
