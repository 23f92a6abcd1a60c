package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Value.Broken;
import io.cleat.jobspec.hcl.Value.Fields;
import io.cleat.jobspec.hcl.Value.Items;
import io.cleat.jobspec.hcl.Value.Null;
import io.cleat.jobspec.hcl.Value.Num;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes expressions. What cannot be computed adds its fault and yields {@link Broken}, which passes silently through
 * whatever uses it, so that one mistake is one fault and all are found.
 *
 * <p>Bounded by {@link Limits}: steps, levels, and the size of each value. Not thread-safe.
 */
final class Evaluator {
    private static final Value BROKEN = new Broken();
    private static final String ITEM = "*";

    private final Names names;
    private final Functions functions;
    private final Faults faults;
    private final Loops loops = new Loops(this);
    private long steps;
    private int level;
    private boolean exhausted;

    Evaluator(Names names, Functions functions, Faults faults) {
        this.names = names;
        this.functions = functions;
        this.faults = faults;
    }

    Value eval(Expr expr, Scope scope) {
        if (!spend(1, expr.at())) {
            return BROKEN;
        }
        if (level >= Limits.EVALUATION) {
            return fault(
                    expr.at(),
                    "Nested too deep",
                    "Expressions and the locals they refer to may be nested " + Limits.EVALUATION + " levels deep.");
        }
        level++;
        Value value = compute(expr, scope);
        level--;
        return admit(value, expr.at());
    }

    /** Counts work against the limit of the file; false when there is none left. */
    boolean spend(long work, Span at) {
        steps += work;
        // Further faults would not be kept, so there is no sense in computing on.
        exhausted |= faults.isFull();
        if (steps > Limits.STEPS && !exhausted) {
            exhausted = true;
            fault(at, "Too much to compute", "The expressions of a file may take " + Limits.STEPS + " steps.");
        }
        return !exhausted;
    }

    /** The value, if it is not larger than a value may be. */
    private Value admit(Value value, Span at) {
        if (value.weight() > Limits.WEIGHT || value.depth() > Limits.DEPTH) {
            return fault(
                    at,
                    "Value too large",
                    "A value may have " + Limits.WEIGHT + " elements on " + Limits.DEPTH + " levels.");
        }
        return value;
    }

    Value fault(Span at, String summary, String detail) {
        faults.add(at, summary, detail);
        return BROKEN;
    }

    private Value compute(Expr expr, Scope scope) {
        return switch (expr) {
            case Expr.Constant(Value value, var _) -> value;
            case Expr.Template template -> template(template, scope);
            case Expr.Root root -> reference(root, root, scope);
            case Expr.Member member -> reference(member, References.root(member), scope);
            case Expr.Index index -> reference(index, References.root(index), scope);
            case Expr.Splat splat -> splat(splat, scope);
            case Expr.SplatItem item -> found(scope.find(ITEM), item.at());
            case Expr.ListOf(List<Expr> items, var _) -> new Items(all(items, scope));
            case Expr.ObjectOf object -> object(object, scope);
            case Expr.ForList loop -> loops.list(loop, scope);
            case Expr.ForObject loop -> loops.object(loop, scope);
            case Expr.Choice choice -> choice(choice, scope);
            case Expr.Binary binary -> binary(binary, scope);
            case Expr.Unary unary -> unary(unary, scope);
            case Expr.Call call -> call(call, scope);
            case Expr.Unreadable _ -> BROKEN;
        };
    }

    private Value found(@Nullable Value value, Span at) {
        return value != null ? value : fault(at, "No element", "There is no element here.");
    }

    Loops loops() {
        return loops;
    }

    List<Value> all(List<Expr> exprs, Scope scope) {
        List<Value> values = new ArrayList<>(exprs.size());
        for (Expr expr : exprs) {
            values.add(eval(expr, scope));
        }
        return values;
    }

    /** A name with what reaches into it; {@code root} is null when its head is no name. */
    private Value reference(Expr expr, Expr.@Nullable Root root, Scope scope) {
        if (root == null || scope.find(root.name()) != null) {
            return step(expr, scope);
        }
        boolean declared = root.name().equals("var") || root.name().equals("local");
        if (!declared && References.isLateRoot(root.name())) {
            return Value.of(References.literal(expr));
        }
        return step(expr, scope);
    }

    private Value step(Expr expr, Scope scope) {
        return switch (expr) {
            case Expr.Root(String name, Span at) -> {
                Value value = scope.find(name);
                yield value != null ? value : unknownRoot(name, at, scope);
            }
            case Expr.Member(Expr.Root(String root, var _), String name, Span nameAt, Span at)
            when root.equals("var") && scope.find(root) == null -> {
                Value value = names.variable(name, at, this);
                yield value != null ? value : unknown("variable", name, nameAt, "var.", names.variables());
            }
            case Expr.Member(Expr.Root(String root, var _), String name, Span nameAt, Span at)
            when root.equals("local") && scope.find(root) == null -> {
                Value value = names.local(name, at, this);
                yield value != null ? value : unknown("local", name, nameAt, "local.", names.locals());
            }
            case Expr.Member member -> {
                Value of = eval(member.of(), scope);
                yield References.member(of, member, this);
            }
            case Expr.Index index -> {
                Value of = eval(index.of(), scope);
                Value key = eval(index.key(), scope);
                yield References.index(of, key, index, this);
            }
            default -> eval(expr, scope);
        };
    }

    private Value unknown(String what, String name, Span at, String prefix, Set<String> known) {
        String hint = Nearest.to(name, known)
                .map(n -> " Did you mean " + prefix + n + "?")
                .orElse("");
        return fault(at, "Unknown " + what, "There is no " + what + " \"" + name + "\" in this file." + hint);
    }

    private Value unknownRoot(String name, Span at, Scope scope) {
        if (name.equals("var") || name.equals("local")) {
            return fault(at, "Incomplete reference", "Expected " + name + ".NAME, found only " + name + ".");
        }
        return fault(
                at,
                "Unknown variable",
                "There is no \""
                        + name
                        + "\" here; text is written in quotes."
                        + Nearest.hint(name, References.known(scope)));
    }

    private Value template(Expr.Template template, Scope scope) {
        List<Expr.Part> parts = template.parts();
        if (parts.size() == 1 && parts.getFirst() instanceof Expr.Part.Hole(Expr of)) {
            // "${x}" alone is x itself, whatever type it has.
            return hole(of, scope);
        }
        return new Templates(this).text(template, scope);
    }

    /** The value of a hole; a name that only the node knows stays as it is written. */
    Value hole(Expr of, Scope scope) {
        Optional<String> late = References.late(of, scope);
        return late.isPresent() ? Value.of(late.get()) : eval(of, scope);
    }

    private Value splat(Expr.Splat splat, Scope scope) {
        Value of = eval(splat.of(), scope);
        if (of instanceof Broken) {
            return BROKEN;
        }
        List<Value> elements = switch (of) {
            case Null _ -> List.of();
            case Items items -> items.items();
            default -> List.of(of);
        };
        List<Value> values = new ArrayList<>();
        for (Value element : elements) {
            if (exhausted) {
                return BROKEN;
            }
            values.add(eval(splat.each(), scope.with(ITEM, element)));
        }
        return new Items(values);
    }

    private Value object(Expr.ObjectOf object, Scope scope) {
        Map<String, Value> fields = new TreeMap<>();
        Map<String, Span> places = new TreeMap<>();
        boolean broken = false;
        for (Expr.Entry entry : object.entries()) {
            Value key = eval(entry.key(), scope);
            Value value = eval(entry.value(), scope);
            Optional<String> name = key(key, entry.key().at());
            if (name.isEmpty()) {
                broken = true;
                continue;
            }
            Span earlier = places.putIfAbsent(name.get(), entry.key().at());
            if (earlier != null) {
                fault(
                        entry.key().at(),
                        "Duplicate key",
                        "\"%s\" was already set at %s.".formatted(name.get(), earlier.place()));
            }
            fields.put(name.get(), value);
        }
        return broken ? BROKEN : new Fields(fields);
    }

    Optional<String> key(Value key, Span at) {
        if (key.isBroken()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Convert.text(key));
        } catch (Misuse e) {
            fault(at, "Invalid key", e.detail());
            return Optional.empty();
        }
    }

    private Value choice(Expr.Choice choice, Scope scope) {
        Optional<Boolean> condition = condition(choice.condition(), scope);
        if (condition.isEmpty()) {
            return BROKEN;
        }
        Expr taken = condition.get() ? choice.yes() : choice.no();
        Expr other = condition.get() ? choice.no() : choice.yes();
        Value value = eval(taken, scope);
        // Both results have one type: beside a text, a number or bool is text too.
        if (other instanceof Expr.Template && !References.isWrapped(other)) {
            return asText(value);
        }
        return value;
    }

    private static Value asText(Value value) {
        return switch (value) {
            case Num number -> Value.of(number.text());
            case Value.Bool(boolean bool) -> Value.of(Boolean.toString(bool));
            default -> value;
        };
    }

    /** Whether a condition holds; empty when that cannot be known. */
    Optional<Boolean> condition(Expr condition, Scope scope) {
        Value value = eval(condition, scope);
        if (value.isBroken()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Convert.bool(value));
        } catch (Misuse e) {
            fault(condition.at(), "Invalid condition", e.detail());
            return Optional.empty();
        }
    }

    private Value binary(Expr.Binary binary, Scope scope) {
        Value left = eval(binary.left(), scope);
        Value right = eval(binary.right(), scope);
        if (left.isBroken() || right.isBroken()) {
            return BROKEN;
        }
        if (!spend((left.weight() + right.weight()) / 2, binary.at())) {
            return BROKEN;
        }
        try {
            return Operators.binary(binary.operator(), left, right);
        } catch (Misuse e) {
            return fault(binary.at(), "Invalid operand", e.detail());
        }
    }

    private Value unary(Expr.Unary unary, Scope scope) {
        Value of = eval(unary.of(), scope);
        if (of.isBroken()) {
            return BROKEN;
        }
        try {
            return Operators.unary(unary.operator(), of);
        } catch (Misuse e) {
            return fault(unary.of().at(), "Invalid operand", e.detail());
        }
    }

    private Value call(Expr.Call call, Scope scope) {
        List<Value> arguments = all(call.arguments(), scope);
        if (!functions.has(call.name())) {
            return fault(
                    call.nameAt(),
                    "Unknown function",
                    "There is no function \"" + call.name() + "\"." + Nearest.hint(call.name(), functions.names()));
        }
        long work = arguments.stream().mapToLong(Value::weight).sum() / 8;
        boolean broken = arguments.stream().anyMatch(Value::isBroken);
        if (broken || !spend(work, call.at())) {
            return BROKEN;
        }
        try {
            if (call.spread()) {
                List<Value> last = Convert.items(arguments.removeLast());
                arguments.addAll(last);
            }
            Value result = functions.call(call.name(), arguments, call.at().source());
            return spend(result.weight() / 8, call.at()) ? result : BROKEN;
        } catch (Misuse e) {
            if (!spend(e.work(), call.at())) {
                return BROKEN;
            }
            return fault(call.at(), "Invalid call of " + call.name(), e.detail());
        }
    }
}
