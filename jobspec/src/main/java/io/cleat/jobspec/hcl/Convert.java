package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Value.Bool;
import io.cleat.jobspec.hcl.Value.Fields;
import io.cleat.jobspec.hcl.Value.Items;
import io.cleat.jobspec.hcl.Value.Num;
import io.cleat.jobspec.hcl.Value.Str;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** Values as what their user needs; numbers and bools become text and back, as the language says. */
public final class Convert {
    private Convert() {}

    public static String text(Value value) throws Misuse {
        return switch (value) {
            case Str(String text) -> text;
            case Num number -> number.text();
            case Bool(boolean bool) -> Boolean.toString(bool);
            default -> throw expected("a string", value);
        };
    }

    static BigDecimal number(Value value) throws Misuse {
        return switch (value) {
            case Num(BigDecimal number) -> number;
            case Str(String text) ->
                Numbers.parse(text).orElseThrow(() -> new Misuse("Expected a number, given a string."));
            default -> throw expected("a number", value);
        };
    }

    public static boolean bool(Value value) throws Misuse {
        return switch (value) {
            case Bool(boolean bool) -> bool;
            case Str(String text) when text.equals("true") -> true;
            case Str(String text) when text.equals("false") -> false;
            case Str _ -> throw new Misuse("Expected true or false, given another string.");
            default -> throw expected("true or false", value);
        };
    }

    public static int integer(Value value) throws Misuse {
        try {
            return number(value).intValueExact();
        } catch (ArithmeticException e) {
            throw new Misuse("Expected a whole number, given " + number(value).toPlainString());
        }
    }

    public static List<Value> items(Value value) throws Misuse {
        if (value instanceof Items items) {
            return items.items();
        }
        throw expected("a list", value);
    }

    public static SortedMap<String, Value> fields(Value value) throws Misuse {
        if (value instanceof Fields fields) {
            return fields.fields();
        }
        throw expected("an object", value);
    }

    /** An element of something that is walked. */
    record Element(Value key, Value value) {}

    /** The elements of a list, set or object; objects in the order of their keys. */
    static List<Element> elements(Value of) throws Misuse {
        List<Element> elements = new ArrayList<>();
        switch (of) {
            case Items items -> {
                for (Value item : items.items()) {
                    Value key = items.isSet() ? item : Value.of(elements.size());
                    elements.add(new Element(key, item));
                }
            }
            case Fields fields ->
                fields.fields().forEach((key, value) -> elements.add(new Element(Value.of(key), value)));
            default -> throw expected("a list or an object to walk", of);
        }
        return elements;
    }

    static Misuse expected(String what, Value given) {
        return new Misuse("Expected " + what + ", given " + given.kind() + ".");
    }
}
