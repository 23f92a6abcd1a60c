package io.cleat.api;

import io.cleat.base.LinearPattern;
import io.cleat.base.Refused;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules of constraints. */
final class ConstraintRules {
    private static final Set<String> COMPARING =
            Set.of("=", "==", "is", "!=", "not", ">", ">=", "<", "<=", "version", "semver");
    private static final Set<String> LISTING = Set.of("regexp", "set_contains", "set_contains_all", "set_contains_any");
    private static final Set<String> PRESENCE = Set.of("is_set", "is_not_set");
    private static final Pattern LIMIT = Pattern.compile("[1-9][0-9]{0,8}");

    /** Characters of each side: it is compared for each node of the cluster. */
    private static final int LONGEST = 4 * 1024;

    private ConstraintRules() {}

    static void check(@Nullable List<Constraint> constraints, Faults faults) {
        if (constraints == null) {
            return;
        }
        for (int i = 0; i < constraints.size(); i++) {
            faults.nest("Constraint " + (i + 1) + " validation failed", faults(constraints.get(i)));
        }
    }

    private static Faults faults(Constraint constraint) {
        String operand = constraint.Operand();
        if (operand.equals("distinct_hosts")) {
            return new Faults();
        }
        if (operand.equals("distinct_property")) {
            return distinctProperty(constraint);
        }
        return comparison("constraint", constraint.LTarget(), operand, constraint.RTarget());
    }

    private static Faults distinctProperty(Constraint constraint) {
        Faults faults = new Faults();
        faults.addIf(constraint.LTarget().isEmpty(), "No LTarget provided but is required by constraint");
        faults.addIf(
                !constraint.RTarget().isEmpty()
                        && !LIMIT.matcher(constraint.RTarget()).matches(),
                "Failed to convert RTarget \""
                        + constraint.RTarget()
                        + "\": expected how many allocations one value may have, from 1");
        length("LTarget", constraint.LTarget(), faults);
        return faults;
    }

    /**
     * What is wrong with a comparison of two sides.
     *
     * @param what it is part of: {@code constraint} or {@code affinity}
     */
    static Faults comparison(String what, String left, String operand, String right) {
        Faults faults = new Faults();
        if (COMPARING.contains(operand) || LISTING.contains(operand)) {
            faults.addIf(left.isEmpty(), "No LTarget provided but is required by " + what);
            faults.addIf(right.isEmpty(), "Operator \"" + operand + "\" requires an RTarget");
        } else if (PRESENCE.contains(operand)) {
            faults.addIf(left.isEmpty(), "No LTarget provided but is required by " + what);
        } else {
            faults.add("Unknown " + what + " type \"" + operand + "\"");
        }
        length("LTarget", left, faults);
        length("RTarget", right, faults);
        if (operand.equals("regexp")) {
            pattern(right, faults);
        }
        return faults;
    }

    private static void length(String side, String text, Faults faults) {
        faults.addIf(text.length() > LONGEST, side + " has " + text.length() + " characters; the most is " + LONGEST);
    }

    private static void pattern(String expression, Faults faults) {
        try {
            LinearPattern.compile(expression);
        } catch (Refused bad) {
            faults.add("Regular expression failed to compile: " + bad.refusal().message());
        }
    }
}
