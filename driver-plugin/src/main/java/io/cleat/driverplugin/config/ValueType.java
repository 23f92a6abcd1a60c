package io.cleat.driverplugin.config;

import io.cleat.base.InvariantBroken;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The type of one attribute: {@code string}, {@code number}, {@code bool}, {@code any}, {@code list(T)},
 * {@code set(T)}, {@code map(T)}, {@code object({name=T, ...})} or {@code tuple([T, ...])}.
 *
 * <p>Values of a block are texts, numbers, truth values, lists and maps. A text that is a number, and a number where a
 * text is wanted, are taken, as in job files everywhere.
 */
sealed interface ValueType {
    /** A text, a number, a truth value, or anything. */
    enum Plain implements ValueType {
        STRING,
        NUMBER,
        BOOL,
        ANY;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Any number of one type, in order. */
    record ListOf(ValueType element) implements ValueType {
        @Override
        public String toString() {
            return "list(" + element + ")";
        }
    }

    /** Any number of one type, each once. */
    record SetOf(ValueType element) implements ValueType {
        @Override
        public String toString() {
            return "set(" + element + ")";
        }
    }

    /** One type by names that anybody chooses. */
    record MapOf(ValueType element) implements ValueType {
        @Override
        public String toString() {
            return "map(" + element + ")";
        }
    }

    /** Types by names. */
    record ObjectOf(Map<String, ValueType> attributes) implements ValueType {
        public ObjectOf {
            attributes = new TreeMap<>(attributes);
        }

        @Override
        public String toString() {
            return "object(" + attributes + ")";
        }
    }

    /** One type after the other. */
    record TupleOf(List<ValueType> elements) implements ValueType {
        public TupleOf {
            elements = List.copyOf(elements);
        }

        @Override
        public String toString() {
            return "tuple(" + elements + ")";
        }
    }

    /** A value of the type {@code any}, beside what it is: JSON of that type. */
    record Typed(String type, @Nullable Object value) {}

    /**
     * The value as a plugin gets it.
     *
     * @param place such as {@code config.ports[0]}, for what is wrong
     * @param faults where that goes
     * @return null for none, and where something is wrong
     */
    default @Nullable Object read(String place, @Nullable Object given, List<String> faults) {
        if (given == null) {
            return null;
        }
        return switch (this) {
            case Plain plain -> plain(plain, place, given, faults);
            case ListOf(ValueType element) -> each(element, place, given, faults);
            case SetOf(ValueType element) -> {
                @Nullable List<@Nullable Object> all = each(element, place, given, faults);
                yield all == null ? null : new ArrayList<>(new LinkedHashSet<>(all));
            }
            case MapOf(ValueType element) -> byName(element, place, given, faults);
            case ObjectOf(Map<String, ValueType> attributes) -> object(attributes, place, given, faults);
            case TupleOf(List<ValueType> elements) -> tuple(elements, place, given, faults);
        };
    }

    private static @Nullable Object plain(Plain type, String place, Object given, List<String> faults) {
        return switch (type) {
            case STRING ->
                switch (given) {
                    case String text -> text;
                    case Number number -> decimal(number).toPlainString();
                    case Boolean is -> is.toString();
                    default -> wrong(type, place, given, faults);
                };
            case NUMBER -> {
                try {
                    yield given instanceof Number || given instanceof String
                            ? new BigDecimal(given.toString().strip())
                            : wrong(type, place, given, faults);
                } catch (NumberFormatException none) {
                    yield wrong(type, place, given, faults);
                }
            }
            case BOOL ->
                switch (given) {
                    case Boolean is -> is;
                    case String text when text.equals("true") -> true;
                    case String text when text.equals("false") -> false;
                    default -> wrong(type, place, given, faults);
                };
            case ANY -> AnyValue.of(given);
        };
    }

    /** Exact, in as few digits as it has. */
    static BigDecimal decimal(Number number) {
        return new BigDecimal(number.toString());
    }

    private @Nullable List<@Nullable Object> each(ValueType element, String place, Object given, List<String> faults) {
        if (!(given instanceof List<?> list)) {
            wrong(this, place, given, faults);
            return null;
        }
        List<@Nullable Object> read = new ArrayList<>();
        for (Object one : list) {
            read.add(element.read(place + "[" + read.size() + "]", one, faults));
        }
        return read;
    }

    private @Nullable Object byName(ValueType element, String place, Object given, List<String> faults) {
        Map<String, @Nullable Object> read = new TreeMap<>();
        // A map that is written as a block, or as several, comes as a list.
        for (Object part : given instanceof List<?> parts ? parts : List.of(given)) {
            if (!(part instanceof Map<?, ?> map)) {
                return wrong(this, place, given, faults);
            }
            map.forEach(
                    (name, value) -> read.put(String.valueOf(name), element.read(place + "." + name, value, faults)));
        }
        return read;
    }

    private @Nullable Object object(
            Map<String, ValueType> attributes, String place, Object given, List<String> faults) {
        if (!(given instanceof Map<?, ?> map)) {
            return wrong(this, place, given, faults);
        }
        Map<String, @Nullable Object> read = new TreeMap<>();
        attributes.forEach((name, type) -> {
            if (map.get(name) == null) {
                faults.add(place + "." + name + " is missing; expected " + type);
            }
            read.put(name, type.read(place + "." + name, map.get(name), faults));
        });
        return read;
    }

    private @Nullable Object tuple(List<ValueType> elements, String place, Object given, List<String> faults) {
        if (!(given instanceof List<?> list) || list.size() != elements.size()) {
            return wrong(this, place, given, faults);
        }
        List<@Nullable Object> read = new ArrayList<>();
        for (ValueType element : elements) {
            int at = read.size();
            read.add(element.read(place + "[" + at + "]", list.get(at), faults));
        }
        return read;
    }

    private static @Nullable Object wrong(ValueType expected, String place, Object given, List<String> faults) {
        faults.add(place + " must be " + expected + ", it is: " + given);
        return null;
    }

    /** What a value is, and so what is said of it beside it. */
    final class AnyValue {
        private AnyValue() {}

        static Typed of(@Nullable Object given) {
            return new Typed(type(given), plain(given));
        }

        private static String type(@Nullable Object given) {
            return switch (given) {
                case null -> "\"dynamic\"";
                case String text -> "\"string\"";
                case Number number -> "\"number\"";
                case Boolean is -> "\"bool\"";
                case List<?> list ->
                    "[\"tuple\",["
                            + String.join(",", list.stream().map(AnyValue::type).toList())
                            + "]]";
                case Map<?, ?> map -> {
                    List<String> parts = new ArrayList<>();
                    new TreeMap<>(map).forEach((name, one) -> parts.add(quoted(name) + ":" + type(one)));
                    yield "[\"object\",{" + String.join(",", parts) + "}]";
                }
                default -> throw new InvariantBroken("a block holds values of files", given);
            };
        }

        private static String quoted(@Nullable Object name) {
            return '"' + String.valueOf(name).replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }

        private static @Nullable Object plain(@Nullable Object given) {
            return switch (given) {
                case Number number -> decimal(number);
                case List<?> list -> {
                    List<@Nullable Object> copy = new ArrayList<>();
                    list.forEach(one -> copy.add(plain(one)));
                    yield copy;
                }
                case Map<?, ?> map -> {
                    Map<String, @Nullable Object> copy = new TreeMap<>();
                    map.forEach((name, one) -> copy.put(String.valueOf(name), plain(one)));
                    yield copy;
                }
                case null, default -> given;
            };
        }
    }
}
