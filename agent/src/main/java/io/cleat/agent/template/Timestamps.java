package io.cleat.agent.template;

import io.cleat.base.Refused;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Points in time, in the layouts of Go: each shows how 2 January 2006, 15:04:05 would look. */
final class Timestamps {
    /** What a part of a layout is for Java; the longer first. */
    private static final List<Map.Entry<String, String>> PARTS = List.of(
            Map.entry("January", "MMMM"),
            Map.entry("Monday", "EEEE"),
            Map.entry("Z07:00", "XXX"),
            Map.entry("-07:00", "xxx"),
            Map.entry("Z0700", "XX"),
            Map.entry("-0700", "xx"),
            Map.entry("2006", "uuuu"),
            Map.entry("Jan", "MMM"),
            Map.entry("Mon", "EEE"),
            Map.entry("MST", "zzz"),
            Map.entry("000000000", "SSSSSSSSS"),
            Map.entry("000000", "SSSSSS"),
            Map.entry("000", "SSS"),
            Map.entry("01", "MM"),
            Map.entry("02", "dd"),
            Map.entry("03", "hh"),
            Map.entry("04", "mm"),
            Map.entry("05", "ss"),
            Map.entry("06", "uu"),
            Map.entry("15", "HH"),
            Map.entry("PM", "a"),
            Map.entry("_2", "ppd"),
            Map.entry("1", "M"),
            Map.entry("2", "d"),
            Map.entry("3", "h"));

    private static final int LONGEST = 200;

    private static final Pattern PART = Pattern.compile(
            String.join("|", PARTS.stream().map(Map.Entry::getKey).toList()));

    private Timestamps() {}

    static String text(Instant at) throws Refused {
        return text(at, "2006-01-02T15:04:05Z07:00");
    }

    /** @param layout Go's, or {@code unix} for seconds since 1970 */
    static String text(Instant at, String layout) throws Refused {
        if (layout.length() > LONGEST) {
            throw Arguments.wrong("a layout has at most " + LONGEST + " characters");
        }
        if (layout.equals("unix")) {
            return Long.toString(at.getEpochSecond());
        }
        // Part by part: letters that came to stand beside each other would mean something else.
        DateTimeFormatterBuilder format = new DateTimeFormatterBuilder();
        Matcher matcher = PART.matcher(layout);
        int from = 0;
        while (matcher.find()) {
            format.appendLiteral(layout.substring(from, matcher.start()));
            String part = matcher.group();
            PARTS.stream()
                    .filter(each -> each.getKey().equals(part))
                    .findFirst()
                    .ifPresent(each -> format.appendPattern(each.getValue()));
            from = matcher.end();
        }
        format.appendLiteral(layout.substring(from));
        return format.toFormatter(Locale.ROOT).format(ZonedDateTime.ofInstant(at, ZoneId.of("UTC")));
    }
}
