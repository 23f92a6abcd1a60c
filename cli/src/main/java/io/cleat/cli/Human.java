package io.cleat.cli;

import io.cleat.base.VisibleText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Numbers as people read them: ages, points in time, sizes, short ids. */
final class Human {
    /** What stands for something absent. */
    static final String NONE = "<none>";

    /** Of an id, without {@code -verbose}. */
    static final int SHORT = 8;

    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ssXXX", Locale.ROOT);
    private static final String[] UNITS = {"y", "mo", "d", "h", "m", "s"};
    private static final long[] UNIT_SECONDS = {31_536_000, 2_592_000, 86_400, 3_600, 60, 1};
    private static final String[] IEC = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private Human() {}

    /** The first 8 characters of an id, or all of it. */
    static String id(String id, boolean whole) {
        return whole ? id : VisibleText.head(id, SHORT);
    }

    /** {@code 3m5s ago}: the two largest units of a time given in nanoseconds since 1970. */
    static String ago(long nanos, Instant now) {
        return nanos <= 0 ? NONE : ago(instant(nanos), now);
    }

    /** {@code 3m5s ago}; a time ahead of the clock reads {@code 3m5s from now}. */
    static String ago(Instant then, Instant now) {
        long seconds = Duration.between(then.truncatedTo(ChronoUnit.SECONDS), now.truncatedTo(ChronoUnit.SECONDS))
                .toSeconds();
        return span(Math.abs(seconds)) + (seconds < 0 ? " from now" : " ago");
    }

    /** {@code 3m5s}: the two largest units of a number of seconds. */
    static String span(long seconds) {
        for (int i = 0; i < UNITS.length; i++) {
            if (seconds >= UNIT_SECONDS[i]) {
                String first = seconds / UNIT_SECONDS[i] + UNITS[i];
                long left = seconds % UNIT_SECONDS[i];
                boolean last = i + 1 == UNITS.length || left < UNIT_SECONDS[i + 1];
                return last ? first : first + left / UNIT_SECONDS[i + 1] + UNITS[i + 1];
            }
        }
        return "0s";
    }

    /** {@code 2026-01-31T12:00:05Z}, of a time given in nanoseconds since 1970. */
    static String time(long nanos, ZoneId zone) {
        return nanos <= 0 ? NONE : time(instant(nanos), zone);
    }

    /** As {@link #time(long, ZoneId)}. */
    static String time(Instant instant, ZoneId zone) {
        return SECONDS.format(instant.atZone(zone));
    }

    private static Instant instant(long nanos) {
        return Instant.ofEpochSecond(0, nanos);
    }

    /** {@code 64 MiB}, {@code 1.5 GiB}: one digit after the point below 10 of a unit. */
    static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit + 1 < IEC.length) {
            value /= 1024;
            unit++;
        }
        return (unit > 0 && Math.round(value * 10) < 100)
                ? String.format(Locale.ROOT, "%.1f %s", value, IEC[unit])
                : String.format(Locale.ROOT, "%.0f %s", value, IEC[unit]);
    }

    /**
     * How long a call took, in ms; a dash for what is no call.
     *
     * @param nanos 0 for no call
     */
    static String took(long nanos) {
        return nanos == 0 ? "-" : String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
}
