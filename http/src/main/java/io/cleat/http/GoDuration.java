package io.cleat.http;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as clients write them: {@code 5000ms}, {@code 1m30s}, {@code 1.5h}. */
final class GoDuration {
    private static final Pattern PART =
            Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|ms|s|m|h)");

    /** Characters; no client writes more, and each of them is a number to compute with. */
    private static final int LONGEST = 64;

    private static final Map<String, Long> NANOS =
            Map.of(
                    "ns", 1L,
                    "us", 1_000L,
                    "µs", 1_000L,
                    "ms", 1_000_000L,
                    "s", 1_000_000_000L,
                    "m", 60_000_000_000L,
                    "h", 3_600_000_000_000L);

    private GoDuration() {}

    /** Empty if {@code text} is no such duration, or a negative one. */
    static Optional<Duration> parse(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        if (text.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher part = PART.matcher(text);
        int end = 0;
        while (end < text.length() && part.region(end, text.length()).lookingAt()) {
            long unit = NANOS.getOrDefault(part.group(2), 0L);
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
            end = part.end();
        }
        boolean isWhole = end > 0 && end == text.length();
        return isWhole && nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
                ? Optional.of(Duration.ofNanos(nanos.longValue()))
                : Optional.empty();
    }
}
