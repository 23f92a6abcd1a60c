package io.cleat.api;

import io.cleat.base.LinearPattern;
import io.cleat.base.Refused;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules of constraints. */
final class ConstraintRules {
    private static final Set<String> COMPARING =
            Set.of("=", "==", "is", "!=", "not", ">", ">=", "<", "<=", "version", "semver");
    private static final Set<String> LISTING =
            Set.of("regexp", "set_contains", "set_contains_all", "set_contains_any");
    private static final Set<String> PRESENCE = Set.of("is_set", "is_not_set");
    private static final Set<String> LATER = Set.of("distinct_property");

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
        Faults faults = new Faults();
        String operand = constraint.Operand();
        if (LATER.contains(operand)) {
            faults.add(UnsupportedParts.text("constraint operator \"" + operand + "\"", ""));
        } else if (COMPARING.contains(operand) || LISTING.contains(operand)) {
            faults.addIf(
                    constraint.LTarget().isEmpty(),
                    "No LTarget provided but is required by constraint");
            faults.addIf(
                    constraint.RTarget().isEmpty(),
                    "Operator \"" + operand + "\" requires an RTarget");
        } else if (PRESENCE.contains(operand)) {
            faults.addIf(
                    constraint.LTarget().isEmpty(),
                    "No LTarget provided but is required by constraint");
        } else if (!operand.equals("distinct_hosts")) {
            faults.add("Unknown constraint type \"" + operand + "\"");
        }
        length("LTarget", constraint.LTarget(), faults);
        length("RTarget", constraint.RTarget(), faults);
        if (operand.equals("regexp")) {
            pattern(constraint.RTarget(), faults);
        }
        return faults;
    }

    private static void length(String side, String text, Faults faults) {
        faults.addIf(
                text.length() > LONGEST,
                side + " has " + text.length() + " characters; the most is " + LONGEST);
    }

    private static void pattern(String expression, Faults faults) {
        try {
            LinearPattern.compile(expression);
        } catch (Refused bad) {
            faults.add("Regular expression failed to compile: " + bad.refusal().message());
        }
    }
}
