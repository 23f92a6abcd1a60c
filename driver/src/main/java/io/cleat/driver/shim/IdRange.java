package io.cleat.driver.shim;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * User ids in a row, which are group ids too.
 *
 * @param first from 1, since 0 is root
 * @param last from {@code first} to 4,294,967,294
 */
public record IdRange(long first, long last) {
    /**
     * Below the ids that distributions hand out as subordinate ones (subuid(5), from 100,000), above those of users,
     * and of services that systemd makes (up to 65,535). Small enough for the archives and file systems whose ids end
     * at 2,097,151.
     */
    public static final IdRange USUAL = new IdRange(70_000, 99_999);

    private static final long LAST = 0xfffffffeL;
    private static final Pattern TEXT = Pattern.compile("(\\d{1,10})-(\\d{1,10})");

    public IdRange {
        if (first < 1 || last < first || last > LAST) {
            throw new IllegalArgumentException(first + "-" + last + " is no range of user ids");
        }
    }

    /** Reads one such as {@code 70000-99999}; empty if it is none. */
    public static Optional<IdRange> parse(String text) {
        Matcher numbers = TEXT.matcher(text);
        if (!numbers.matches()) {
            return Optional.empty();
        }
        long first = Long.parseLong(numbers.group(1));
        long last = Long.parseLong(numbers.group(2));
        return first < 1 || last < first || last > LAST ? Optional.empty() : Optional.of(new IdRange(first, last));
    }

    /** How many there are. */
    public long size() {
        return last - first + 1;
    }

    public boolean overlaps(long from, long to) {
        return from <= last && to >= first;
    }

    /** As it is given to an agent. */
    @Override
    public String toString() {
        return first + "-" + last;
    }
}
