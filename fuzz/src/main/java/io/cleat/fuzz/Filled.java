package io.cleat.fuzz;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A document in which each component of a record of the API has a value, and each list and map an element: maps, lists,
 * texts, numbers and booleans, as {@link JsonText} writes them.
 */
public final class Filled {
    private static final int DEEPEST = 9;

    private Filled() {}

    public static Object of(Class<?> type) {
        return value(type, 0);
    }

    private static Object value(Type type, int depth) {
        if (type instanceof ParameterizedType several) {
            return generic(several, depth);
        }
        if (!(type instanceof Class<?> one) || depth > DEEPEST) {
            return "a";
        }
        if (one == boolean.class || one == Boolean.class) {
            return true;
        }
        if (one.isPrimitive() || Number.class.isAssignableFrom(one)) {
            return 1;
        }
        if (one.isRecord() && one.getRecordComponents().length > 0) {
            Map<String, Object> made = new LinkedHashMap<>();
            for (RecordComponent component : one.getRecordComponents()) {
                made.put(component.getName(), value(component.getGenericType(), depth + 1));
            }
            return made;
        }
        return switch (one.getSimpleName()) {
            case "Instant" -> "2026-01-01T00:00:00Z";
            case "Secrets", "Map" -> new LinkedHashMap<>(Map.of("a", "b"));
            case "List" -> new ArrayList<>(List.of("a"));
            default -> "a";
        };
    }

    private static Object generic(ParameterizedType type, int depth) {
        Type last = type.getActualTypeArguments()[type.getActualTypeArguments().length - 1];
        Object inner = value(last, depth + 1);
        if (type.getRawType() == List.class) {
            return new ArrayList<>(List.of(inner));
        }
        return new LinkedHashMap<>(Map.of("a", inner));
    }

    /**
     * {@code base} with everything that {@code full} has and it has not.
     *
     * @param base a document; not changed
     */
    public static Object merged(Object base, Object full) {
        if (base instanceof Map<?, ?> map && full instanceof Map<?, ?> more) {
            Map<Object, Object> all = new LinkedHashMap<>(more);
            map.forEach((key, value) -> all.merge(key, value, (one, own) -> merged(own, one)));
            return all;
        }
        if (base instanceof List<?> list && full instanceof List<?> more && !more.isEmpty()) {
            List<Object> all = new ArrayList<>();
            list.forEach(element -> all.add(merged(element, more.getFirst())));
            return all.isEmpty() ? more : all;
        }
        return base;
    }

    /**
     * {@code base} with one more of the places of {@code full}, and what leads to it.
     *
     * @param path as of {@link JsonText#paths}
     */
    public static Object along(Object base, Object full, String path) {
        if (path.isEmpty()) {
            return base;
        }
        int end = path.indexOf('/', 1);
        String name = path.substring(1, end < 0 ? path.length() : end);
        String rest = end < 0 ? "" : path.substring(end);
        if (base instanceof Map<?, ?> map && full instanceof Map<?, ?> more) {
            Map<Object, Object> all = new LinkedHashMap<>(map);
            Object wanted = more.get(name);
            if (wanted != null) {
                Object own = map.get(name);
                all.put(name, own == null ? wanted : along(own, wanted, rest));
            }
            return all;
        }
        if (base instanceof List<?> list && full instanceof List<?> more) {
            int at = Integer.parseInt(name);
            List<Object> all = new ArrayList<>(list);
            if (at < all.size()) {
                all.set(at, along(all.get(at), more.get(at), rest));
            } else {
                all.add(more.get(at));
            }
            return all;
        }
        return full;
    }
}
