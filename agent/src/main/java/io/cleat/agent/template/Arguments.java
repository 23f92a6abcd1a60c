package io.cleat.agent.template;

import io.cleat.base.Meter;
import io.cleat.base.MeteredText;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The arguments of one call in a template, each as what it must be. */
record Arguments(List<@Nullable Object> values, Meter meter) {
    /** What a function does with its arguments. */
    @FunctionalInterface
    interface Body {
        @Nullable
        Object of(Arguments arguments) throws Refused;
    }

    /**
     * A function for templates.
     *
     * @param usage how it is called, for messages
     */
    static io.cleat.template.Function function(int least, int most, String usage, Body body) {
        return (List<@Nullable Object> arguments, Meter meter) -> {
            if (arguments.size() < least || arguments.size() > most) {
                throw wrong("it is called as {{ "
                        + usage
                        + " }}; given "
                        + arguments.size()
                        + (arguments.size() == 1 ? " argument" : " arguments"));
            }
            return body.of(new Arguments(arguments, meter));
        };
    }

    static Refused wrong(String what) {
        return new Refused(new Refusal.Invalid(what));
    }

    int count() {
        return values.size();
    }

    @Nullable
    Object value(int at) {
        return values.get(at);
    }

    /** Texts; numbers and booleans as they print. */
    String text(int at) throws Refused {
        return switch (values.get(at)) {
            case String text -> text;
            case Number number -> String.valueOf(number);
            case Boolean bool -> String.valueOf(bool);
            case null -> throw wrong("argument " + (at + 1) + " is no value; expected a text");
            default -> throw wrong("argument " + (at + 1) + " is not a text");
        };
    }

    String last() throws Refused {
        return text(count() - 1);
    }

    Number number(int at) throws Refused {
        if (values.get(at) instanceof Number number) {
            return number;
        }
        throw wrong("argument " + (at + 1) + " is not a number; a text becomes one by parseInt or parseFloat");
    }

    long whole(int at) throws Refused {
        Number number = number(at);
        if (number instanceof Long || number instanceof Integer) {
            return number.longValue();
        }
        throw wrong("argument " + (at + 1) + " is not a whole number");
    }

    List<?> list(int at) throws Refused {
        if (values.get(at) instanceof List<?> list) {
            return list;
        }
        throw wrong("argument " + (at + 1) + " is not a list");
    }

    /** A value as the text that it prints as. */
    static void print(@Nullable Object value, MeteredText out) throws Refused {
        switch (value) {
            case null -> {
                // Nothing prints as nothing.
            }
            case List<?> list -> {
                String before = "[";
                for (Object each : list) {
                    print(each, out.add(before));
                    before = " ";
                }
                out.add(list.isEmpty() ? "[]" : "]");
            }
            case Map<?, ?> map -> {
                String before = "{";
                for (Map.Entry<?, ? extends @Nullable Object> each : map.entrySet()) {
                    print(each.getValue(), out.add(before).add(each.getKey() + "="));
                    before = ", ";
                }
                out.add(map.isEmpty() ? "{}" : "}");
            }
            default -> out.add(String.valueOf(value));
        }
    }
}
