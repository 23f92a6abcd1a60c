package io.cleat.jobspec.hcl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads a type as it is written behind {@code type =}. */
final class TypeReader {
    private static final Set<String> NAMES =
            Set.of("any", "bool", "list", "map", "number", "object", "set", "string", "tuple");

    private final Evaluator evaluator;

    TypeReader(Evaluator evaluator) {
        this.evaluator = evaluator;
    }

    /** The type; one that cannot be read is a fault and counts as {@code any}. */
    Type read(Expr expr) {
        return switch (expr) {
            case Expr.Root(String name, Span at) -> plain(name, at);
            // Old files put the name in quotes.
            case Expr.Template(List<Expr.Part> parts, Span at)
            when parts.size() == 1 && parts.getFirst() instanceof Expr.Part.Text(String t) -> plain(t, at);
            case Expr.Call(String name, Span nameAt, List<Expr> of, var _, Span at) -> composed(name, nameAt, of, at);
            case Expr.Unreadable _ -> Type.Plain.ANY;
            default -> fault(expr.at(), "Expected a type such as string or list(number).");
        };
    }

    private Type fault(Span at, String detail) {
        evaluator.fault(at, "Invalid type", detail);
        return Type.Plain.ANY;
    }

    private Type plain(String name, Span at) {
        return switch (name) {
            case "string" -> Type.Plain.STRING;
            case "number" -> Type.Plain.NUMBER;
            case "bool" -> Type.Plain.BOOL;
            case "any" -> Type.Plain.ANY;
            case "list" -> new Type.Sequence(Type.Plain.ANY, false);
            case "map" -> new Type.MapOf(Type.Plain.ANY);
            default -> fault(at, "There is no type \"" + name + "\"." + Nearest.hint(name, NAMES));
        };
    }

    private Type composed(String name, Span nameAt, List<Expr> of, Span at) {
        if (!NAMES.contains(name) || plainOnly(name)) {
            return fault(nameAt, "There is no type \"" + name + "(...)\"." + Nearest.hint(name, NAMES));
        }
        if (of.size() != 1) {
            return fault(at, "Expected one type in " + name + "(...).");
        }
        Expr inner = of.getFirst();
        return switch (name) {
            case "list" -> new Type.Sequence(read(inner), false);
            case "set" -> new Type.Sequence(read(inner), true);
            case "map" -> new Type.MapOf(read(inner));
            case "tuple" -> tuple(inner);
            default -> object(inner);
        };
    }

    private static boolean plainOnly(String name) {
        return switch (name) {
            case "string", "number", "bool", "any" -> true;
            default -> false;
        };
    }

    private Type tuple(Expr inner) {
        if (!(inner instanceof Expr.ListOf(List<Expr> items, var _))) {
            return fault(inner.at(), "Expected tuple([TYPE, ...]).");
        }
        List<Type> types = new ArrayList<>();
        items.forEach(item -> types.add(read(item)));
        return new Type.Tuple(types);
    }

    private Type object(Expr inner) {
        if (!(inner instanceof Expr.ObjectOf(List<Expr.Entry> entries, var _))) {
            return fault(inner.at(), "Expected object({NAME = TYPE, ...}).");
        }
        Map<String, Type.Attribute> attributes = new LinkedHashMap<>();
        for (Expr.Entry entry : entries) {
            Value key = evaluator.eval(entry.key(), Scope.EMPTY);
            evaluator.key(key, entry.key().at()).ifPresent(name -> attributes.put(name, attribute(entry.value())));
        }
        return new Type.ObjectOf(attributes);
    }

    private Type.Attribute attribute(Expr expr) {
        if (!(expr instanceof Expr.Call(String name, var _, List<Expr> of, var _, Span at))
                || !name.equals("optional")) {
            return new Type.Attribute(read(expr), false, new Value.Null());
        }
        if (of.isEmpty() || of.size() > 2) {
            fault(at, "Expected optional(TYPE) or optional(TYPE, DEFAULT).");
            return new Type.Attribute(Type.Plain.ANY, true, new Value.Null());
        }
        Value missing = of.size() == 2 ? evaluator.eval(of.get(1), Scope.EMPTY) : new Value.Null();
        return new Type.Attribute(read(of.getFirst()), true, missing);
    }
}
