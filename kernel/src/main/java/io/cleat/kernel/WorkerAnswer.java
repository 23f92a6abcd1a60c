package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.VisibleText;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * The values of a path worker's answer. The worker is ours, but the numbers in them are not: a file system that a
 * plugin serves says what it likes of a file, and a workload sets its times. So a number that is too large is the
 * largest one, a time that no calendar has is the nearest that one has, and what cannot be read at all is trouble.
 */
record WorkerAnswer(List<String> values) {
    /** Years that have four digits, in seconds since 1970. */
    private static final long FIRST_SECOND = -62_135_596_800L;

    private static final long LAST_SECOND = 253_402_300_799L;

    private static final int MOST_MODE = 07777;

    WorkerAnswer {
        values = List.copyOf(values);
    }

    int size() {
        return values.size();
    }

    /** The values from that one on; none where there are not so many. */
    List<String> from(int index) {
        return values.subList(Math.min(index, values.size()), values.size());
    }

    String word(int index) throws KernelTrouble {
        if (index >= values.size()) {
            throw unreadable("it has " + values.size() + " values");
        }
        return values.get(index);
    }

    /** As the first word of an answer that has one. */
    boolean is(String word) {
        return !values.isEmpty() && values.getFirst().equals(word);
    }

    /** From 0 on; {@link Long#MAX_VALUE} for what is larger. */
    long count(int index) throws KernelTrouble {
        long number = bits(index);
        return number < 0 ? Long.MAX_VALUE : number;
    }

    /** An inode's number, of which 64 bits are used; only to be compared. */
    long bits(int index) throws KernelTrouble {
        String digits = word(index);
        try {
            return Long.parseUnsignedLong(digits);
        } catch (NumberFormatException malformed) {
            throw unreadable("'" + VisibleText.cut(digits, 40) + "' is no number");
        }
    }

    /** Permission bits, which are written in octal. */
    int mode(int index) throws KernelTrouble {
        String digits = word(index);
        try {
            return Integer.parseUnsignedInt(digits, 8) & MOST_MODE;
        } catch (NumberFormatException malformed) {
            throw unreadable("'" + VisibleText.cut(digits, 40) + "' is no mode");
        }
    }

    /** A time in seconds, and nanoseconds in the value after it. */
    Instant time(int index) throws KernelTrouble {
        String digits = word(index);
        try {
            long seconds = Math.clamp(Long.parseLong(digits), FIRST_SECOND, LAST_SECOND);
            return Instant.ofEpochSecond(seconds, Math.min(count(index + 1), 999_999_999L));
        } catch (NumberFormatException malformed) {
            throw unreadable("'" + VisibleText.cut(digits, 40) + "' is no time");
        }
    }

    Mount.Device device(int index) throws KernelTrouble {
        String[] parts = word(index).split(":", 2);
        try {
            return new Mount.Device(
                    Integer.parseUnsignedInt(parts[0]), Integer.parseUnsignedInt(parts.length > 1 ? parts[1] : ""));
        } catch (NumberFormatException malformed) {
            throw unreadable("'" + VisibleText.cut(word(index), 40) + "' is no device");
        }
    }

    <E extends Enum<E>> E constant(int index, Class<E> type) throws KernelTrouble {
        String name = word(index).toUpperCase(Locale.ROOT);
        for (E one : type.getEnumConstants()) {
            if (one.name().equals(name)) {
                return one;
            }
        }
        throw unreadable("'"
                + VisibleText.cut(word(index), 40)
                + "' is no "
                + type.getSimpleName().toLowerCase(Locale.ROOT));
    }

    private static KernelTrouble unreadable(String why) {
        return new KernelTrouble(
                "a path worker's answer cannot be read: " + why, Effect.UNKNOWN, Retry.AFTER_OBSERVING);
    }
}
