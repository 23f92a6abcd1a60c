package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Body.Attribute;
import io.cleat.jobspec.hcl.Body.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The variables and locals of one file, each computed when it is first used. Not thread-safe. */
final class Declarations implements Names {
    private final Map<String, Lazy> variables = new TreeMap<>();
    private final Map<String, Lazy> locals = new TreeMap<>();
    private final List<String> underWay = new ArrayList<>();
    private boolean constant;

    /** A value that is computed once. */
    private static final class Lazy {
        private final Span declaredAt;
        private final Supplier<Value> work;
        private @Nullable Value value;
        private boolean underWay;

        Lazy(Span declaredAt, Supplier<Value> work) {
            this.declaredAt = declaredAt;
            this.work = work;
        }
    }

    /** Where a variable was declared before, or null; then {@code work} computes its value. */
    @Nullable
    Span declareVariable(String name, Span at, Supplier<Value> work) {
        return declare(variables, name, at, work);
    }

    private static @Nullable Span declare(Map<String, Lazy> all, String name, Span at, Supplier<Value> work) {
        Lazy earlier = all.putIfAbsent(name, new Lazy(at, work));
        return earlier == null ? null : earlier.declaredAt;
    }

    /** Adds what a {@code locals} block says. */
    void addLocals(Block block, Evaluator evaluator) {
        for (Block inner : block.body().blocks()) {
            evaluator.fault(
                    inner.typeAt(),
                    "Unsupported block type",
                    "Blocks are not expected in locals; write " + inner.type() + " = {...}.");
        }
        for (Attribute attribute : block.body().attributes().values()) {
            Span earlier = declare(
                    locals, attribute.name(), attribute.nameAt(), () -> evaluator.eval(attribute.value(), Scope.EMPTY));
            if (earlier != null) {
                evaluator.fault(
                        attribute.nameAt(),
                        "Duplicate local",
                        "local.%s was already set at %s.".formatted(attribute.name(), earlier.place()));
            }
        }
    }

    /** Computes {@code expr}, which may not refer to variables and locals. */
    Value constant(Expr expr, Evaluator evaluator) {
        boolean before = constant;
        constant = true;
        Value value = evaluator.eval(expr, Scope.EMPTY);
        constant = before;
        return value;
    }

    /** Computes all, so that each fault is found, also in what nothing uses. */
    void computeAll(Evaluator evaluator) {
        variables.forEach((name, lazy) -> value("var." + name, lazy, lazy.declaredAt, evaluator));
        locals.forEach((name, lazy) -> value("local." + name, lazy, lazy.declaredAt, evaluator));
    }

    private Value value(String name, Lazy lazy, Span at, Evaluator evaluator) {
        if (lazy.value != null) {
            return lazy.value;
        }
        if (lazy.underWay) {
            return evaluator.fault(
                    at,
                    "Circular reference",
                    String.join(" -> ", underWay.subList(underWay.indexOf(name), underWay.size()))
                            + " -> "
                            + name
                            + ".");
        }
        lazy.underWay = true;
        underWay.add(name);
        Value value = lazy.work.get();
        underWay.removeLast();
        lazy.underWay = false;
        lazy.value = value;
        return value;
    }

    private @Nullable Value find(Map<String, Lazy> all, String prefix, String name, Span at, Evaluator evaluator) {
        if (constant) {
            return evaluator.fault(
                    at, "Constant expected", "The value of a variable may not refer to " + prefix + name + ".");
        }
        Lazy lazy = all.get(name);
        return lazy == null ? null : value(prefix + name, lazy, at, evaluator);
    }

    @Override
    public @Nullable Value variable(String name, Span at, Evaluator evaluator) {
        return find(variables, "var.", name, at, evaluator);
    }

    @Override
    public @Nullable Value local(String name, Span at, Evaluator evaluator) {
        return find(locals, "local.", name, at, evaluator);
    }

    @Override
    public Set<String> variables() {
        return variables.keySet();
    }

    @Override
    public Set<String> locals() {
        return locals.keySet();
    }
}
