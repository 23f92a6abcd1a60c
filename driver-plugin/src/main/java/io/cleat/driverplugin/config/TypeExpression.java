package io.cleat.driverplugin.config;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the text of a {@link ValueType}. Of one thread. */
final class TypeExpression {
    private static final int MOST = 4 << 10;
    private static final int DEEPEST = 32;

    private final String text;
    private int at;

    private TypeExpression(String text) {
        this.text = text;
    }

    /**
     * The type that a schema names.
     *
     * @throws DriverTrouble if it is none, with what was given
     */
    static ValueType read(String text) throws DriverTrouble {
        if (text.length() > MOST) {
            throw new DriverTrouble(
                    "the plugin's schema has a type of " + text.length() + " characters; at most " + MOST + " are read",
                    Effect.NONE,
                    Retry.NEVER);
        }
        TypeExpression expression = new TypeExpression(text);
        ValueType type = expression.type(0);
        expression.skip();
        if (expression.at < text.length()) {
            throw expression.wrong("the end");
        }
        return type;
    }

    private ValueType type(int depth) throws DriverTrouble {
        if (depth > DEEPEST) {
            throw wrong("no more than " + DEEPEST + " types in each other");
        }
        String word = word();
        return switch (word) {
            case "string" -> ValueType.Plain.STRING;
            case "number" -> ValueType.Plain.NUMBER;
            case "bool" -> ValueType.Plain.BOOL;
            case "any" -> ValueType.Plain.ANY;
            case "list" -> new ValueType.ListOf(inBrackets(depth));
            case "set" -> new ValueType.SetOf(inBrackets(depth));
            case "map" -> new ValueType.MapOf(inBrackets(depth));
            case "object" -> object(depth);
            case "tuple" -> tuple(depth);
            default -> throw wrong("a type such as string or list(number)");
        };
    }

    private ValueType inBrackets(int depth) throws DriverTrouble {
        take('(');
        ValueType type = type(depth + 1);
        take(')');
        return type;
    }

    private ValueType object(int depth) throws DriverTrouble {
        take('(');
        take('{');
        Map<String, ValueType> attributes = new TreeMap<>();
        while (!is('}')) {
            String name = word();
            take('=');
            attributes.put(name, type(depth + 1));
            if (is(',')) {
                take(',');
            }
        }
        take('}');
        take(')');
        return new ValueType.ObjectOf(attributes);
    }

    private ValueType tuple(int depth) throws DriverTrouble {
        take('(');
        take('[');
        List<ValueType> elements = new ArrayList<>();
        while (!is(']')) {
            elements.add(type(depth + 1));
            if (is(',')) {
                take(',');
            }
        }
        take(']');
        take(')');
        return new ValueType.TupleOf(elements);
    }

    private String word() throws DriverTrouble {
        skip();
        int from = at;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_' || text.charAt(at) == '-')) {
            at++;
        }
        if (from == at) {
            throw wrong("a word");
        }
        return text.substring(from, at);
    }

    private boolean is(char expected) {
        skip();
        return at < text.length() && text.charAt(at) == expected;
    }

    private void take(char expected) throws DriverTrouble {
        if (!is(expected)) {
            throw wrong("'" + expected + "'");
        }
        at++;
    }

    private void skip() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private DriverTrouble wrong(String expected) {
        return new DriverTrouble(
                "the plugin's schema has the type '"
                        + text
                        + "', which is not known at character "
                        + at
                        + "; expected "
                        + expected,
                Effect.NONE,
                Retry.NEVER);
    }
}
