package io.cleat.jobspec;

import io.cleat.base.InputLimits;
import io.cleat.base.TextRule;
import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.Span;
import java.util.List;
import java.util.Optional;

/**
 * The same rule for the texts of a file as for those of a request ({@link TextRule}), said with their place. A file can
 * make what it could not hold: an escape, or half of a character that a function cut.
 */
final class TreeTexts {
    private TreeTexts() {}

    static void check(Tree tree, Faults faults) {
        switch (tree) {
            case Tree.Scalar(Object value, Span at) -> {
                if (value instanceof String text) {
                    TextRule.fault(text).ifPresent(fault -> wrong("The text", at, fault, faults));
                }
            }
            case Tree.Many(List<Tree> items, Span _) -> items.forEach(item -> check(item, faults));
            case Tree.Fields fields ->
                fields.fields().forEach((name, field) -> {
                    nameFault(name).ifPresent(fault -> wrong("The name", field.nameAt(), fault, faults));
                    check(field.value(), faults);
                });
        }
    }

    private static Optional<String> nameFault(String name) {
        return name.length() > InputLimits.NAME_CHARS
                ? Optional.of(
                        "has " + name.length() + " characters; at most " + InputLimits.NAME_CHARS + " are allowed")
                : TextRule.fault(name);
    }

    private static void wrong(String what, Span at, String fault, Faults faults) {
        faults.add(at, "Invalid text", what + " " + fault + ".");
    }
}
