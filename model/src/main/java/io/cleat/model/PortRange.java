package io.cleat.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Ports from the first to the last, both of them too. */
public record PortRange(int first, int last) {
    /** The highest port there is. */
    public static final int MAX_PORT = 65_535;

    private static final Pattern PART = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");

    public boolean has(int port) {
        return first <= port && port <= last;
    }

    /** The ranges of a text such as {@code 22,80,8000-8010}; those that cannot be read are none. */
    public static List<PortRange> read(String text) {
        List<PortRange> ranges = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            range(part).ifPresent(ranges::add);
        }
        return ranges;
    }

    /** What is wrong with a text of ranges; empty if nothing is. */
    public static Optional<String> fault(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        for (String part : text.split(",", -1)) {
            if (range(part).isEmpty()) {
                return Optional.of(
                        "\"" + part.strip() + "\" is no port from 1 to 65535 and no range of them, such as 8000-8010");
            }
        }
        return Optional.empty();
    }

    private static Optional<PortRange> range(String part) {
        Matcher read = PART.matcher(part.strip());
        if (!read.matches()) {
            return Optional.empty();
        }
        int first = Integer.parseInt(read.group(1));
        int last = read.group(2) == null ? first : Integer.parseInt(read.group(2));
        return 1 <= first && first <= last && last <= MAX_PORT
                ? Optional.of(new PortRange(first, last))
                : Optional.empty();
    }

    /** The ranges as such a text. */
    public static String text(Collection<PortRange> ranges) {
        return ranges.stream().map(PortRange::toString).collect(Collectors.joining(","));
    }

    @Override
    public String toString() {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }
}
