package io.cleat.api;

import io.cleat.base.Durations;
import io.cleat.base.Secrets;
import io.cleat.base.TextRule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** What is wrong with a variable that somebody wants. */
public final class VariableValidation {
    /** Bytes of all names and values of a variable together. */
    public static final int MOST_BYTES = 64 * 1024;

    /** How long a lock holds, and its delay, unless said otherwise. */
    public static final Duration USUAL_TIME = Duration.ofSeconds(15);

    private static final Duration SHORTEST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofHours(24);

    private static final Pattern PATH = Pattern.compile("[a-zA-Z0-9_~/-]{1,128}");

    /** The only paths below {@code nomad} that anybody may write, with those below them. */
    private static final List<String> OPEN = List.of("nomad/jobs", "nomad/job-templates");

    private VariableValidation() {}

    /** What is wrong with a path; empty for one that a variable can have. */
    public static Optional<String> pathFault(String path) {
        if (!PATH.matcher(path).matches()) {
            return Optional.of("invalid path "
                    + TextRule.quoted(path)
                    + ": a variable's path has 1 to 128 characters, which are letters and digits of ASCII, - "
                    + "_ ~ and /");
        }
        boolean isReserved = path.equals("nomad") || path.startsWith("nomad/");
        boolean isOpen = OPEN.stream().anyMatch(open -> path.equals(open) || path.startsWith(open + "/"));
        return isReserved && !isOpen
                ? Optional.of("the path "
                        + TextRule.quoted(path)
                        + " is reserved: of those that begin with nomad/, only nomad/jobs,"
                        + " nomad/job-templates and what is below them can be written")
                : Optional.empty();
    }

    /** All that is wrong with the items of a variable; empty if nothing is. */
    public static List<String> itemFaults(Secrets items) {
        List<String> faults = new ArrayList<>();
        long bytes = 0;
        for (Map.Entry<String, String> item : items.reveal().entrySet()) {
            if (item.getKey().isEmpty()) {
                faults.add("an item has no name: give each a name, such as {\"user\": \"me\"}");
            }
            bytes += item.getKey().getBytes(StandardCharsets.UTF_8).length
                    + item.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        if (bytes > MOST_BYTES) {
            faults.add("the names and values of the items have " + bytes + " bytes, at most " + MOST_BYTES);
        }
        return faults;
    }

    /** A time of a lock: {@link #USUAL_TIME} if it is not said, empty if it is none that a lock can have. */
    public static Optional<Duration> lockTime(String text) {
        if (text.isEmpty()) {
            return Optional.of(USUAL_TIME);
        }
        OptionalLong nanos = Durations.parse(text);
        return nanos.isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(nanos.getAsLong()))
                        .filter(each -> each.compareTo(SHORTEST) >= 0)
                        .filter(each -> each.compareTo(LONGEST) <= 0);
    }

    /** Why {@link #lockTime} has none. */
    public static String lockTimeFault(String what, String text) {
        return what
                + " "
                + TextRule.quoted(text)
                + " is not a time that a lock can have: expected one from 10s to 24h, such as 15s";
    }
}
