package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Body.Attribute;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the value that the user gave to a variable. Not thread-safe. */
final class VariableValues {
    private final Variables given;
    private final Faults faults;
    private final Map<String, Attribute> inFiles = new LinkedHashMap<>();
    private final Set<String> taken = new TreeSet<>();
    private final Set<String> hidden = new TreeSet<>();

    /** A value, and where it stands. */
    record Given(Expr expr, Span at) {}

    VariableValues(Variables given, Faults faults) {
        this.given = given;
        this.faults = faults;
        for (Source file : given.files()) {
            Body body = BodyParser.parse(file, faults);
            body.blocks()
                    .forEach(block -> faults.add(
                            block.typeAt(), "Unsupported block type", "A file of values has only lines NAME = VALUE."));
            inFiles.putAll(body.attributes());
        }
    }

    /** Faults do not show the value of this variable. */
    void hide(String name) {
        hidden.add(name);
    }

    /** The value that wins, or null when there is none. */
    @Nullable
    Given take(String name, Type type) {
        taken.add(name);
        String flag = given.flags().get(name);
        if (flag != null) {
            return fromText("-var " + name, name, flag, type);
        }
        Attribute attribute = inFiles.get(name);
        if (attribute != null) {
            Span at = attribute.value().at();
            if (hidden.contains(name)) {
                at.source().hide(at.start(), at.end());
            }
            return new Given(attribute.value(), at);
        }
        for (String prefix : new String[] {"CLEAT_VAR_", "NOMAD_VAR_"}) {
            String set = given.environment().get(prefix + name);
            if (set != null) {
                return fromText(prefix + name, name, set, type);
            }
        }
        return null;
    }

    /** Text for a type without parts is the value itself; for another it is an expression. */
    private Given fromText(String origin, String name, String text, Type type) {
        Source source = Source.of(origin, text);
        if (hidden.contains(name)) {
            source.hide(0, text.length());
        }
        Span at = source.whole();
        Expr expr = type instanceof Type.Plain
                ? new Expr.Constant(Value.of(text), at)
                : BodyParser.expression(source, faults);
        return new Given(expr, at);
    }

    /** Values of variables that the file does not declare are faults, except in the environment. */
    void checkAllTaken() {
        given.flags().forEach((name, text) -> {
            if (!taken.contains(name)) {
                Source source = Source.of("-var " + name, text);
                source.hide(0, text.length());
                undeclared(name, source.span(0, 0));
            }
        });
        inFiles.forEach((name, attribute) -> {
            if (!taken.contains(name)) {
                undeclared(name, attribute.nameAt());
            }
        });
    }

    private void undeclared(String name, Span at) {
        Optional<String> near = Nearest.to(name, taken);
        faults.add(
                at,
                "Undeclared variable",
                "The file declares no variable \""
                        + name
                        + "\"."
                        + near.map(n -> " Did you mean \"" + n + "\"?").orElse(""));
    }
}
