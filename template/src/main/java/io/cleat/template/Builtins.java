package io.cleat.template;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cleat.base.Meter;
import io.cleat.base.MeteredText;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The functions that every template has; {@code and} and {@code or} are with what calls them. */
final class Builtins {
    static final Set<String> NAMES = Set.of(
            "and",
            "or",
            "not",
            "len",
            "index",
            "slice",
            "print",
            "printf",
            "println",
            "html",
            "js",
            "urlquery",
            "eq",
            "ne",
            "lt",
            "le",
            "gt",
            "ge");

    private Builtins() {}

    static @Nullable Object call(String name, List<@Nullable Object> given, Meter meter) throws Refused {
        return switch (name) {
            case "not" -> !Values.isTrue(only(given));
            case "len" -> length(only(given));
            case "index" -> index(given);
            case "slice" -> slice(given, meter);
            case "print" -> Printing.print(given, meter);
            case "println" -> Printing.println(given, meter);
            case "printf" -> printf(given, meter);
            case "html" -> html(Printing.print(given, meter), meter);
            case "js" -> js(Printing.print(given, meter), meter);
            case "urlquery" -> query(Printing.print(given, meter), meter);
            case "eq" -> isAnyEqual(given);
            case "ne" -> {
                require(given.size() == 2, "two values are expected");
                yield !isEqual(given.getFirst(), given.getLast());
            }
            case "lt" -> order(given) < 0;
            case "le" -> order(given) <= 0;
            case "gt" -> order(given) > 0;
            case "ge" -> order(given) >= 0;
            default -> throw new IllegalStateException("the parser let " + name + " in");
        };
    }

    static Refused refused(String what) {
        return new Refused(new Refusal.Malformed(what));
    }

    private static void require(boolean holds, String otherwise) throws Refused {
        if (!holds) {
            throw refused(otherwise);
        }
    }

    private static @Nullable Object only(List<@Nullable Object> given) throws Refused {
        require(given.size() == 1, "one value is expected, got " + given.size());
        return given.getFirst();
    }

    private static long length(@Nullable Object value) throws Refused {
        return switch (value) {
            case String text -> text.getBytes(UTF_8).length;
            case List<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case null, default -> throw refused(Values.kind(value) + " has no length");
        };
    }

    private static @Nullable Object index(List<@Nullable Object> given) throws Refused {
        require(!given.isEmpty(), "a list or map, and indexes, are expected");
        Object found = given.getFirst();
        for (Object key : given.subList(1, given.size())) {
            found = switch (found) {
                case Map<?, ?> map -> {
                    require(key instanceof String, "a map's keys are texts");
                    yield map.get(key);
                }
                case List<?> list -> list.get(within(key, list.size() - 1));
                case String text -> {
                    byte[] bytes = text.getBytes(UTF_8);
                    yield (long) (bytes[within(key, bytes.length - 1)] & 0xff);
                }
                case null, default -> throw refused("can't index " + Values.kind(found));
            };
        }
        return found;
    }

    private static int within(@Nullable Object index, int last) throws Refused {
        require(
                index instanceof Number && Values.isWhole(index),
                "an index is a whole number, not " + Values.kind(index));
        long number = ((Number) Objects.requireNonNull(index)).longValue();
        require(number >= 0 && number <= last, "index " + number + " is out of range: the last is " + last);
        return (int) number;
    }

    private static Object slice(List<@Nullable Object> given, Meter meter) throws Refused {
        require(!given.isEmpty() && given.size() <= 3, "a list or text, and at most two indexes, are expected");
        Object whole = given.getFirst();
        require(whole instanceof String || whole instanceof List<?>, "can't slice " + Values.kind(whole));
        int size = (int) length(whole);
        int from = given.size() > 1 ? within(given.get(1), size) : 0;
        int to = given.size() > 2 ? within(given.get(2), size) : size;
        require(from <= to, "it begins after its end: " + from + " > " + to);
        if (whole instanceof String) {
            meter.make(to - from);
        } else {
            meter.makeElements(to - from);
        }
        return whole instanceof List<?> list
                ? new ArrayList<>(list.subList(from, to))
                : new String(
                        Arrays.copyOfRange(((String) Objects.requireNonNull(whole)).getBytes(UTF_8), from, to), UTF_8);
    }

    private static String printf(List<@Nullable Object> given, Meter meter) throws Refused {
        require(!given.isEmpty() && given.getFirst() instanceof String, "a format, which is a text, is expected first");
        return Printing.printf(
                (String) Objects.requireNonNull(given.getFirst()), given.subList(1, given.size()), meter);
    }

    private static boolean isAnyEqual(List<@Nullable Object> given) throws Refused {
        require(given.size() >= 2, "at least two values are expected");
        for (Object other : given.subList(1, given.size())) {
            if (isEqual(given.getFirst(), other)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEqual(@Nullable Object a, @Nullable Object b) throws Refused {
        if (a == null || b == null) {
            return a == null && b == null;
        }
        if (a instanceof Number one && b instanceof Number other) {
            return Values.decimal(one).compareTo(Values.decimal(other)) == 0;
        }
        requireComparable(a, b);
        return a.equals(b);
    }

    private static int order(List<@Nullable Object> given) throws Refused {
        require(given.size() == 2, "two values are expected");
        Object a = given.getFirst();
        Object b = given.getLast();
        if (a instanceof Number one && b instanceof Number other) {
            return Values.decimal(one).compareTo(Values.decimal(other));
        }
        if (a instanceof String one && b instanceof String other) {
            return Arrays.compareUnsigned(one.getBytes(UTF_8), other.getBytes(UTF_8));
        }
        throw refused("can't order " + Values.kind(a) + " and " + Values.kind(b));
    }

    private static void requireComparable(Object a, Object b) throws Refused {
        require(
                Values.kind(a).equals(Values.kind(b)) && (a instanceof String || a instanceof Boolean),
                "can't compare " + Values.kind(a) + " with " + Values.kind(b));
    }

    private static String html(String text, Meter meter) throws Refused {
        MeteredText out = new MeteredText(meter);
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            String by = switch (text.charAt(i)) {
                case '&' -> "&amp;";
                case '<' -> "&lt;";
                case '>' -> "&gt;";
                case '"' -> "&#34;";
                case '\'' -> "&#39;";
                case '\0' -> "\uFFFD";
                default -> "";
            };
            if (!by.isEmpty()) {
                out.add(text, from, i).add(by);
                from = i + 1;
            }
        }
        return out.add(text, from, text.length()).toString();
    }

    private static String query(String text, Meter meter) throws Refused {
        // Each of up to three bytes of a character becomes three.
        meter.make(9L * text.length());
        return URLEncoder.encode(text, UTF_8).replace("*", "%2A").replace("%7E", "~");
    }

    private static String js(String text, Meter meter) throws Refused {
        MeteredText out = new MeteredText(meter);
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ("\\'\"".indexOf(c) >= 0) {
                out.add(text, from, i).add("\\");
                from = i;
            } else if (c < ' ' || "<>&=".indexOf(c) >= 0) {
                out.add(text, from, i).add(String.format("\\u%04X", (int) c));
                from = i + 1;
            }
        }
        return out.add(text, from, text.length()).toString();
    }
}
