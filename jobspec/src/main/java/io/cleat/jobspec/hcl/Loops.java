package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Convert.Element;
import io.cleat.jobspec.hcl.Value.Broken;
import io.cleat.jobspec.hcl.Value.Fields;
import io.cleat.jobspec.hcl.Value.Items;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The {@code for} expressions. */
final class Loops {
    private final Evaluator evaluator;

    Loops(Evaluator evaluator) {
        this.evaluator = evaluator;
    }

    /** One scope for each element, or empty when there is nothing that can be walked. */
    Optional<List<Scope>> scopes(Expr.Loop loop, Scope scope) {
        Value of = evaluator.eval(loop.of(), scope);
        if (of instanceof Broken) {
            return Optional.empty();
        }
        try {
            List<Scope> scopes = new ArrayList<>();
            for (Element element : Convert.elements(of)) {
                Scope inner = scope;
                if (loop.key().isPresent()) {
                    inner = inner.with(loop.key().get(), element.key());
                }
                scopes.add(inner.with(loop.value(), element.value()));
            }
            return evaluator.spend(scopes.size(), loop.of().at()) ? Optional.of(scopes) : Optional.empty();
        } catch (Misuse e) {
            evaluator.fault(loop.of().at(), "Invalid loop", e.detail());
            return Optional.empty();
        }
    }

    Value list(Expr.ForList loop, Scope scope) {
        Optional<List<Scope>> scopes = scopes(loop.loop(), scope);
        if (scopes.isEmpty()) {
            return new Broken();
        }
        List<Value> values = new ArrayList<>();
        for (Scope inner : scopes.get()) {
            if (!evaluator.spend(1, loop.at())) {
                return new Broken();
            }
            Optional<Boolean> taken = taken(loop.condition(), inner);
            if (taken.isEmpty()) {
                return new Broken();
            }
            if (taken.get()) {
                values.add(evaluator.eval(loop.each(), inner));
            }
        }
        return new Items(values);
    }

    private Optional<Boolean> taken(Optional<Expr> condition, Scope inner) {
        return condition.isEmpty() ? Optional.of(true) : evaluator.condition(condition.get(), inner);
    }

    Value object(Expr.ForObject loop, Scope scope) {
        Optional<List<Scope>> scopes = scopes(loop.loop(), scope);
        if (scopes.isEmpty()) {
            return new Broken();
        }
        Map<String, List<Value>> groups = new TreeMap<>();
        boolean broken = false;
        for (Scope inner : scopes.get()) {
            if (!evaluator.spend(1, loop.at())) {
                return new Broken();
            }
            Optional<Boolean> taken = taken(loop.condition(), inner);
            if (taken.isEmpty()) {
                return new Broken();
            }
            if (taken.get()) {
                broken |= !add(loop, inner, groups);
            }
        }
        if (broken) {
            return new Broken();
        }
        Map<String, Value> fields = new TreeMap<>();
        groups.forEach((key, values) -> fields.put(key, loop.grouped() ? new Items(values) : values.getFirst()));
        return new Fields(fields);
    }

    private boolean add(Expr.ForObject loop, Scope inner, Map<String, List<Value>> groups) {
        Value name = evaluator.eval(loop.name(), inner);
        Value value = evaluator.eval(loop.each(), inner);
        Optional<String> key = evaluator.key(name, loop.name().at());
        if (key.isEmpty()) {
            return false;
        }
        List<Value> group = groups.computeIfAbsent(key.get(), _ -> new ArrayList<>());
        if (!group.isEmpty() && !loop.grouped()) {
            evaluator.fault(
                    loop.name().at(),
                    "Duplicate key",
                    "Two elements have the key \"" + key.get() + "\"; write ... behind the value to group them.");
            return false;
        }
        group.add(value);
        return true;
    }
}
