package io.cleat.agent.template;

import static io.cleat.agent.template.Arguments.function;

import io.cleat.base.InputLimits;
import io.cleat.base.Meter;
import io.cleat.base.MeteredText;
import io.cleat.base.Refused;
import io.cleat.kernel.FileWrites;
import io.cleat.template.Function;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What templates do with numbers, lists, maps and JSON. */
final class ValueFunctions {
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(InputLimits.DEPTH)
                            .maxNumberLength(InputLimits.NUMBER_DIGITS)
                            .maxStringLength(FileWrites.MOST)
                            .build())
                    .build())
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(DeserializationFeature.USE_LONG_FOR_INTS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final BigInteger LONGEST_LOOP = BigInteger.valueOf(1_000_000);

    private ValueFunctions() {}

    /** What two numbers make. */
    @FunctionalInterface
    private interface Sum {
        Number of(Number a, Number b) throws Refused;
    }

    static void addTo(Map<String, Function> all) {
        all.put("parseInt", function(1, 1, "parseInt text", g -> parsed(g, "a whole number")));
        all.put("parseUint", function(1, 1, "parseUint text", ValueFunctions::unsigned));
        all.put("parseFloat", function(1, 1, "parseFloat text", ValueFunctions::fraction));
        all.put("parseBool", function(1, 1, "parseBool text", ValueFunctions::bool));
        all.put("parseJSON", function(1, 1, "parseJSON text", ValueFunctions::parseJson));
        all.put("toJSON", function(1, 1, "toJSON value", g -> escaped(json(g), g.meter())));
        all.put("toUnescapedJSON", function(1, 1, "toUnescapedJSON value", ValueFunctions::json));
        all.put("toJSONPretty", function(1, 1, "toJSONPretty value", g -> escaped(pretty(g), g.meter())));
        all.put("toUnescapedJSONPretty", function(1, 1, "toUnescapedJSONPretty value", ValueFunctions::pretty));
        // As one pipes into them: {{ 5 | subtract 2 }} is 3.
        sum(all, "add", (a, b) -> isFraction(a, b) ? sum(a, b) : exact(() -> plus(a, b)));
        sum(all, "subtract", (a, b) -> isFraction(a, b) ? less(a, b) : exact(() -> minus(a, b)));
        sum(all, "multiply", (a, b) -> isFraction(a, b) ? times(a, b) : exact(() -> product(a, b)));
        sum(all, "divide", ValueFunctions::divide);
        sum(all, "modulo", ValueFunctions::modulo);
        sum(all, "minimum", (a, b) -> a.doubleValue() <= b.doubleValue() ? a : b);
        sum(all, "maximum", (a, b) -> a.doubleValue() >= b.doubleValue() ? a : b);
        all.put("loop", function(1, 2, "loop from to", ValueFunctions::loop));
        all.put("in", function(2, 2, "in list value", g -> has(g.value(0), g.value(1), g.meter())));
        all.put("contains", function(2, 2, "contains value list", g -> has(g.value(1), g.value(0), g.meter())));
        all.put("containsAll", function(2, 2, "containsAll values list", g -> found(g) == most(g)));
        all.put("containsAny", function(2, 2, "containsAny values list", g -> found(g) > 0));
        all.put("containsNone", function(2, 2, "containsNone values list", g -> found(g) == 0));
        all.put("containsNotAll", function(2, 2, "containsNotAll values list", g -> found(g) < most(g)));
        all.put("mergeMap", function(2, 2, "mergeMap more map", ValueFunctions::merged));
        Function otherwise =
                function(2, 2, "default otherwise value", g -> isEmpty(g.value(1)) ? g.value(0) : g.value(1));
        all.put("default", otherwise);
        all.put("sprig_default", otherwise);
    }

    private static void sum(Map<String, Function> all, String name, Sum sum) {
        all.put(name, function(2, 2, name + " b a", g -> sum.of(g.number(1), g.number(0))));
    }

    private static boolean isFraction(Number a, Number b) {
        return !(a instanceof Long && b instanceof Long);
    }

    private static Number sum(Number a, Number b) {
        return a.doubleValue() + b.doubleValue();
    }

    private static Number less(Number a, Number b) {
        return a.doubleValue() - b.doubleValue();
    }

    private static Number times(Number a, Number b) {
        return a.doubleValue() * b.doubleValue();
    }

    private static long plus(Number a, Number b) {
        return Math.addExact(a.longValue(), b.longValue());
    }

    private static long minus(Number a, Number b) {
        return Math.subtractExact(a.longValue(), b.longValue());
    }

    private static long product(Number a, Number b) {
        return Math.multiplyExact(a.longValue(), b.longValue());
    }

    private static Number exact(java.util.function.LongSupplier sum) throws Refused {
        try {
            return sum.getAsLong();
        } catch (ArithmeticException tooLarge) {
            throw Arguments.wrong("the result has more than 64 bits");
        }
    }

    private static Number divide(Number a, Number b) throws Refused {
        if (isFraction(a, b)) {
            return a.doubleValue() / b.doubleValue();
        }
        requireDivisor(b);
        return a.longValue() / b.longValue();
    }

    private static Number modulo(Number a, Number b) throws Refused {
        if (isFraction(a, b)) {
            throw Arguments.wrong("both numbers must be whole");
        }
        requireDivisor(b);
        return a.longValue() % b.longValue();
    }

    private static void requireDivisor(Number divisor) throws Refused {
        if (divisor.longValue() == 0) {
            throw Arguments.wrong("a division by zero");
        }
    }

    private static long parsed(Arguments arguments, String what) throws Refused {
        try {
            return arguments.text(0).isEmpty() ? 0 : Long.parseLong(arguments.text(0));
        } catch (NumberFormatException not) {
            throw Arguments.wrong("\"" + arguments.text(0) + "\" is not " + what);
        }
    }

    private static long unsigned(Arguments arguments) throws Refused {
        long value = parsed(arguments, "a whole number");
        if (value < 0) {
            throw Arguments.wrong("\"" + arguments.text(0) + "\" is less than zero");
        }
        return value;
    }

    private static double fraction(Arguments arguments) throws Refused {
        try {
            return arguments.text(0).isEmpty() ? 0 : Double.parseDouble(arguments.text(0));
        } catch (NumberFormatException not) {
            throw Arguments.wrong("\"" + arguments.text(0) + "\" is not a number");
        }
    }

    private static boolean bool(Arguments arguments) throws Refused {
        return switch (arguments.text(0).toLowerCase(Locale.ROOT)) {
            case "1", "t", "true" -> true;
            case "", "0", "f", "false" -> false;
            default -> throw Arguments.wrong("\"" + arguments.text(0) + "\" is neither true nor false");
        };
    }

    private static @Nullable Object parseJson(Arguments arguments) throws Refused {
        String text = arguments.text(0);
        // Each of these signs makes a value, a list or a map; in a text they count too.
        arguments
                .meter()
                .makeElements(text.chars().filter(c -> "[{,:".indexOf(c) >= 0).count());
        arguments.meter().make(text.length());
        try {
            return text.isEmpty() ? Map.of() : JSON.readValue(text, Object.class);
        } catch (JacksonException unreadable) {
            throw Arguments.wrong("this is not JSON: " + unreadable.getOriginalMessage());
        }
    }

    private static String json(Arguments arguments) throws Refused {
        return MeteredWriter.text(arguments.meter(), out -> JSON.writeValue(out, arguments.value(0)));
    }

    private static String pretty(Arguments arguments) throws Refused {
        return MeteredWriter.text(
                arguments.meter(), out -> JSON.writerWithDefaultPrettyPrinter().writeValue(out, arguments.value(0)));
    }

    /** As it may stand in HTML. */
    private static String escaped(String json, Meter meter) throws Refused {
        MeteredText out = new MeteredText(meter);
        int from = 0;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c == '<' || c == '>' || c == '&') {
                out.add(json, from, i).add("\\u00").add(Integer.toHexString(c));
                from = i + 1;
            }
        }
        return out.add(json, from, json.length()).toString();
    }

    private static List<Long> loop(Arguments arguments) throws Refused {
        long from = arguments.count() == 1 ? 0 : arguments.whole(0);
        long to = arguments.whole(arguments.count() - 1);
        // The difference of two numbers of 64 bits has 65.
        BigInteger times = BigInteger.valueOf(to).subtract(BigInteger.valueOf(from));
        if (times.compareTo(LONGEST_LOOP) > 0) {
            throw Arguments.wrong("it would go around " + times + " times; the most is 1000000");
        }
        arguments.meter().makeElements(Math.max(0, to - from));
        List<Long> numbers = new ArrayList<>();
        for (long each = from; each < to; each++) {
            numbers.add(each);
        }
        return numbers;
    }

    private static boolean has(@Nullable Object in, @Nullable Object value, Meter meter) throws Refused {
        return switch (in) {
            case String text -> {
                MeteredText part = new MeteredText(meter);
                Arguments.print(value, part);
                meter.search(text, part.toString());
                yield text.contains(part.toString());
            }
            case List<?> list -> {
                meter.step(list.size());
                yield list.contains(value);
            }
            case Map<?, ?> map -> {
                meter.step(map.size());
                yield map.containsValue(value);
            }
            case null -> false;
            default -> throw Arguments.wrong("only a list, a map or a text has something in it");
        };
    }

    private static long found(Arguments arguments) throws Refused {
        List<?> in = arguments.list(1);
        arguments.meter().step((long) in.size() * arguments.list(0).size());
        return arguments.list(0).stream().filter(in::contains).count();
    }

    private static long most(Arguments arguments) throws Refused {
        return arguments.list(0).size();
    }

    private static Object merged(Arguments arguments) throws Refused {
        Map<String, @Nullable Object> merged = new TreeMap<>();
        for (Object each : arguments.values()) {
            if (!(each instanceof Map<?, ?> map)) {
                throw Arguments.wrong("both must be maps");
            }
            arguments.meter().makeElements(map.size());
            map.forEach((key, value) -> merged.putIfAbsent(String.valueOf(key), value));
        }
        return merged;
    }

    private static boolean isEmpty(@Nullable Object value) {
        return switch (value) {
            case null -> true;
            case String text -> text.isEmpty();
            case Boolean bool -> !bool;
            case List<?> list -> list.isEmpty();
            case Map<?, ?> map -> map.isEmpty();
            case Number number -> number.doubleValue() == 0;
            default -> Objects.equals(value, "");
        };
    }
}
