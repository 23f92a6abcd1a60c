package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Value.Fields;
import io.cleat.jobspec.hcl.Value.Items;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Names, what reaches into them, and names that only the node knows. */
final class References {
    /** The heads of what a node fills in; also the variables of its environment. */
    private static final Set<String> LATE = Set.of("attr", "device", "env", "meta", "node");

    private References() {}

    /** The name at the head of a reference, or null when the head is something else. */
    static Expr.@Nullable Root root(Expr expr) {
        Expr head = expr;
        while (true) {
            switch (head) {
                case Expr.Member member -> head = member.of();
                case Expr.Index index -> head = index.of();
                case Expr.Root root -> {
                    return root;
                }
                default -> {
                    return null;
                }
            }
        }
    }

    static boolean isLateRoot(String name) {
        return LATE.contains(name) || name.startsWith("NOMAD_") || name.startsWith("CLEAT_");
    }

    /** A reference as it is written in a template. */
    static String literal(Expr expr) {
        return "${" + expr.at().text() + "}";
    }

    /**
     * The literal text of a hole that the node fills in later: a name that is not known here. A name that reaches into
     * something and is one letter off {@code var} or {@code local} is taken for a typing error instead.
     */
    static Optional<String> late(Expr of, Scope scope) {
        Expr.Root root = root(of);
        if (root == null || scope.find(root.name()) != null || !keysAreConstant(of)) {
            return Optional.empty();
        }
        String name = root.name();
        if (name.equals("var") || name.equals("local")) {
            return Optional.empty();
        }
        boolean bare = of instanceof Expr.Root;
        if (!bare && !isLateRoot(name)) {
            for (String known : known(scope)) {
                if (known.length() > 2 && Nearest.distance(name, known) <= 1) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(literal(of));
    }

    private static boolean keysAreConstant(Expr of) {
        Expr head = of;
        while (true) {
            switch (head) {
                case Expr.Member member -> head = member.of();
                case Expr.Index(Expr inner, Expr key, var _) -> {
                    boolean text = key instanceof Expr.Template template && isPlain(template);
                    if (!text && !(key instanceof Expr.Constant)) {
                        return false;
                    }
                    head = inner;
                }
                default -> {
                    return true;
                }
            }
        }
    }

    private static boolean isPlain(Expr.Template template) {
        return template.parts().stream().allMatch(p -> p instanceof Expr.Part.Text);
    }

    /** A template that is one hole and nothing else. */
    static boolean isWrapped(Expr expr) {
        return expr instanceof Expr.Template(List<Expr.Part> parts, var _)
                && parts.size() == 1
                && parts.getFirst() instanceof Expr.Part.Hole;
    }

    /** The heads a reference may have here. */
    static Set<String> known(Scope scope) {
        Set<String> known = new TreeSet<>(scope.names());
        known.add("var");
        known.add("local");
        return known;
    }

    static Value member(Value of, Expr.Member member, Evaluator evaluator) {
        if (of instanceof Value.Broken) {
            return of;
        }
        if (!(of instanceof Fields fields)) {
            return evaluator.fault(
                    member.nameAt(), "No such attribute", "Only an object has attributes; this is " + of.kind() + ".");
        }
        Value value = fields.fields().get(member.name());
        return value != null ? value : noKey(member.name(), fields, member.nameAt(), evaluator);
    }

    private static Value noKey(String key, Fields of, Span at, Evaluator evaluator) {
        return evaluator.fault(
                at,
                "No such attribute",
                "The object has no \"" + key + "\"."
                        + Nearest.hint(key, of.fields().keySet()));
    }

    static Value index(Value of, Value key, Expr.Index index, Evaluator evaluator) {
        if (of instanceof Value.Broken || key.isBroken()) {
            return new Value.Broken();
        }
        Span at = index.key().at();
        try {
            if (of instanceof Fields fields) {
                String name = Convert.text(key);
                Value value = fields.fields().get(name);
                return value != null ? value : noKey(name, fields, at, evaluator);
            }
            if (of instanceof Items items && !items.isSet()) {
                int position = Convert.integer(key);
                int size = items.items().size();
                if (position < 0 || position >= size) {
                    throw new Misuse("The list has " + size + " elements, counted from 0; given " + position + ".");
                }
                return items.items().get(position);
            }
            throw Convert.expected("a list or an object before the index", of);
        } catch (Misuse e) {
            return evaluator.fault(at, "Invalid index", e.detail());
        }
    }
}
