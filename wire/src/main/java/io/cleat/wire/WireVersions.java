package io.cleat.wire;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The versions of the protocol that a program speaks. Each side says its own when a connection is opened, as
 * {@code OLDEST-NEWEST} in the header {@value #HEADER}; both speak the newest that both have.
 */
public record WireVersions(int oldest, int newest) {
    /** The name of the header. */
    static final String HEADER = "cleat-wire";

    /** What a program speaks that says nothing: the last one before programs said it. */
    static final WireVersions UNSAID = new WireVersions(14, 14);

    /**
     * Those of this program. What the oldest lacks is left out for those that speak it; it is raised when that is not
     * enough any more.
     */
    public static final WireVersions OURS = new WireVersions(14, WireFormat.VERSION);

    private static final Pattern TEXT = Pattern.compile("(\\d{1,5})-(\\d{1,5})");

    /** Reads a header; empty if it is none. */
    static Optional<WireVersions> read(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new WireVersions(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    /** As a header has it. */
    String text() {
        return oldest + "-" + newest;
    }

    /** The newest that both speak; empty if there is none. */
    OptionalInt common(WireVersions other) {
        int common = Math.min(newest, other.newest);
        return common >= Math.max(oldest, other.oldest) ? OptionalInt.of(common) : OptionalInt.empty();
    }

    /** Whether a program speaks that version. */
    public boolean has(int version) {
        return version >= oldest && version <= newest;
    }

    /** In words for people. */
    public String words() {
        return oldest == newest ? "version " + newest : "versions " + oldest + " to " + newest;
    }

    /**
     * The feature level of the programs that first spoke that version: what its messages hold of the cluster's records.
     */
    static int level(int version) {
        return switch (version) {
            case 14 -> 17;
            case 15 -> 18;
            case 16 -> 19;
            default -> Integer.MAX_VALUE;
        };
    }
}
