package io.cleat.model;

import io.cleat.base.TextRule;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** What may be the name of a service, and which ports are numbers. */
public final class ServiceNames {
    /** Characters: a label of RFC 1123, section 2.1. */
    private static final int LONGEST = 63;

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?");
    private static final Pattern PARTS = Pattern.compile("[-a-zA-Z0-9]*");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{[^{}]*\\}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");

    private ServiceNames() {}

    /**
     * What is wrong with a name as a job has it: what its variables become is known later, and then looked at again.
     */
    public static Optional<String> fault(String name) {
        String known = VARIABLE.matcher(name).replaceAll("");
        boolean isFit = known.equals(name)
                ? isName(name)
                : known.length() <= LONGEST && PARTS.matcher(known).matches();
        return isFit
                ? Optional.empty()
                : Optional.of("service name "
                        + TextRule.quoted(name)
                        + " must be valid per RFC 1123: 1 to 63 letters, digits and dashes, no dash at its "
                        + "beginning or end");
    }

    /** Whether others may find something by it. */
    public static boolean isName(String name) {
        return name.length() <= LONGEST && NAME.matcher(name).matches();
    }

    /** Whether it is the same for all allocations. */
    public static boolean isFixed(String name) {
        return !name.contains("${");
    }

    /** The port that a number names; empty if it is not one from 1 to 65535. */
    public static OptionalInt port(String text) {
        if (!NUMBER.matcher(text).matches()) {
            return OptionalInt.empty();
        }
        int port = Integer.parseInt(text);
        return port >= 1 && port <= PortRange.MAX_PORT ? OptionalInt.of(port) : OptionalInt.empty();
    }
}
