package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Body.Attribute;
import io.cleat.jobspec.hcl.Body.Block;
import io.cleat.jobspec.hcl.VariableValues.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the {@code variable} blocks of a file. */
final class VariableBlocks {
    private static final Set<String> ATTRIBUTES = Set.of("type", "default", "description", "sensitive");

    private final Evaluator evaluator;
    private final Declarations declarations;
    private final VariableValues values;
    private final List<Rule> rules = new ArrayList<>();

    /** A validation block, to be checked when all values are known. */
    private record Rule(String variable, Span givenAt, Body body, Span at) {}

    VariableBlocks(Evaluator evaluator, Declarations declarations, VariableValues values) {
        this.evaluator = evaluator;
        this.declarations = declarations;
        this.values = values;
    }

    /** {@code variables}: each attribute is a variable with its default. */
    void addAll(Block block) {
        for (Attribute attribute : block.body().attributes().values()) {
            declare(attribute.name(), attribute.nameAt(), attribute, Type.Plain.ANY);
        }
    }

    void add(Block block) {
        if (block.labels().size() != 1) {
            evaluator.fault(
                    block.typeAt(),
                    "Name expected",
                    "Expected variable \"NAME\", given " + block.labels().size() + " labels.");
            return;
        }
        String name = block.labels().getFirst().text();
        Body body = block.body();
        for (Attribute attribute : body.attributes().values()) {
            if (!ATTRIBUTES.contains(attribute.name())) {
                evaluator.fault(
                        attribute.nameAt(),
                        "Unsupported argument",
                        "An argument named \""
                                + attribute.name()
                                + "\" is not expected in a variable."
                                + Nearest.hint(attribute.name(), ATTRIBUTES));
            }
        }
        Attribute type = body.attributes().get("type");
        TypeReader types = new TypeReader(evaluator);
        Type of = type == null ? Type.Plain.ANY : types.read(type.value());
        boolean secret = isTrue(body.attributes().get("sensitive"));
        if (secret) {
            values.hide(name);
        }
        Span givenAt =
                declare(name, block.labels().getFirst().at(), body.attributes().get("default"), of);
        for (Block inner : body.blocks()) {
            if (inner.type().equals("validation")) {
                rules.add(new Rule(name, givenAt, inner.body(), inner.typeAt()));
            } else {
                evaluator.fault(
                        inner.typeAt(),
                        "Unsupported block type",
                        "Blocks of type \"" + inner.type() + "\" are not expected in a variable; validation is.");
            }
        }
    }

    private boolean isTrue(@Nullable Attribute attribute) {
        return attribute != null
                && declarations.constant(attribute.value(), evaluator).equals(Value.of(true));
    }

    private Span declare(String name, Span at, @Nullable Attribute missing, Type type) {
        Given given = values.take(name, type);
        Span givenAt =
                given != null ? given.at() : missing != null ? missing.value().at() : at;
        Span earlier = declarations.declareVariable(name, at, () -> compute(name, at, given, missing, type));
        if (earlier != null) {
            evaluator.fault(
                    at,
                    "Duplicate variable",
                    "The variable \"%s\" was already declared at %s.".formatted(name, earlier.place()));
        }
        return givenAt;
    }

    private Value compute(String name, Span at, @Nullable Given given, @Nullable Attribute missing, Type type) {
        Expr expr;
        if (given != null) {
            expr = given.expr();
        } else if (missing != null) {
            expr = missing.value();
        } else {
            return evaluator.fault(
                    at,
                    "No value for variable",
                    "The variable \"%s\" has no default; give it one with -var %s=VALUE, -var-file or NOMAD_VAR_%s."
                            .formatted(name, name, name));
        }
        Value value = declarations.constant(expr, evaluator);
        if (value.isBroken() || value instanceof Value.Null) {
            return value;
        }
        try {
            return type.convert(value);
        } catch (Misuse e) {
            return evaluator.fault(
                    expr.at(),
                    "Invalid value for variable",
                    "var.%s is of type %s. %s".formatted(name, type.text(), e.detail()));
        }
    }

    /** Checks the validation blocks. */
    void validate() {
        for (Rule rule : rules) {
            Attribute condition = rule.body.attributes().get("condition");
            Attribute message = rule.body.attributes().get("error_message");
            if (condition == null || message == null) {
                evaluator.fault(rule.at, "Incomplete validation", "A validation has a condition and an error_message.");
                continue;
            }
            boolean holds = evaluator.condition(condition.value(), Scope.EMPTY).orElse(true);
            if (holds) {
                continue;
            }
            Value text = evaluator.eval(message.value(), Scope.EMPTY);
            String detail = text instanceof Value.Str(String said) ? said : "The condition is false.";
            evaluator.fault(
                    rule.givenAt,
                    "Invalid value for variable",
                    "var.%s: %s (The rule is at %s.)"
                            .formatted(rule.variable, detail, condition.nameAt().place()));
        }
    }
}
