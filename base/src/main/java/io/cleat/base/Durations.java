package io.cleat.base;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.OptionalLong;

/** Durations as Go writes them: {@code 30s}, {@code 1h30m}, {@code 1.5h}, {@code 250ms}. */
public final class Durations {
    private static final Map<String, Long> UNITS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "\u00b5s", 1_000L,
            "\u03bcs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    private Durations() {}

    /**
     * A duration in nanoseconds. Each number has a unit; {@code 0} may stand alone.
     *
     * @return empty when the text is no duration, or one of more than 292 years
     */
    public static OptionalLong parse(String text) {
        boolean negative = text.startsWith("-");
        int at = negative || text.startsWith("+") ? 1 : 0;
        if (text.length() > 100 || at == text.length()) {
            return OptionalLong.empty();
        }
        if (text.substring(at).equals("0")) {
            return OptionalLong.of(0);
        }
        BigDecimal total = BigDecimal.ZERO;
        while (at < text.length()) {
            int unit = numberEnd(text, at);
            int next = unit;
            while (next < text.length() && !isNumber(text.charAt(next))) {
                next++;
            }
            Long nanos = UNITS.get(text.substring(unit, next));
            String number = text.substring(at, unit);
            if (nanos == null || number.chars().noneMatch(c -> c != '.')) {
                return OptionalLong.empty();
            }
            total = total.add(new BigDecimal(number).multiply(BigDecimal.valueOf(nanos)));
            at = next;
        }
        BigDecimal whole = total.setScale(0, RoundingMode.DOWN);
        return whole.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
                ? OptionalLong.empty()
                : OptionalLong.of(negative ? -whole.longValue() : whole.longValue());
    }

    private static boolean isNumber(char c) {
        return (c >= '0' && c <= '9') || c == '.';
    }

    /** Where digits with at most one point end. */
    private static int numberEnd(String text, int from) {
        int at = from;
        boolean point = false;
        while (at < text.length() && isNumber(text.charAt(at)) && !(point && text.charAt(at) == '.')) {
            point |= text.charAt(at) == '.';
            at++;
        }
        return at;
    }

    /** Nanoseconds as Go prints them, such as {@code 1h30m0s} or {@code 1.5ms}. */
    public static String format(long nanos) {
        if (nanos == 0) {
            return "0s";
        }
        BigDecimal size = BigDecimal.valueOf(nanos).abs();
        String sign = nanos < 0 ? "-" : "";
        if (size.compareTo(BigDecimal.valueOf(1_000_000_000L)) < 0) {
            long n = size.longValue();
            return sign
                    + (n < 1_000 ? n + "ns" : n < 1_000_000 ? shifted(size, 3) + "\u00b5s" : shifted(size, 6) + "ms");
        }
        BigDecimal[] hours = size.divideAndRemainder(BigDecimal.valueOf(3_600_000_000_000L));
        BigDecimal[] minutes = hours[1].divideAndRemainder(BigDecimal.valueOf(60_000_000_000L));
        boolean hasHours = hours[0].signum() > 0;
        boolean hasMinutes = hasHours || minutes[0].signum() > 0;
        return sign
                + (hasHours ? hours[0].toPlainString() + "h" : "")
                + (hasMinutes ? minutes[0].toPlainString() + "m" : "")
                + shifted(minutes[1], 9)
                + "s";
    }

    /** As {@link #format}, for people: what is below a millisecond is left out. */
    public static String words(Duration duration) {
        return format(duration.truncatedTo(ChronoUnit.MILLIS).toNanos());
    }

    private static String shifted(BigDecimal number, int digits) {
        return number.movePointLeft(digits).stripTrailingZeros().toPlainString();
    }
}
