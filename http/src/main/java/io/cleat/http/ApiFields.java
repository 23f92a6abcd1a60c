package io.cleat.http;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which fields the objects of the API have, as their records say. */
final class ApiFields {
    private static final Set<Class<?>> VALUES =
            Set.of(String.class, Boolean.class, Integer.class, Long.class, Double.class);

    private ApiFields() {}

    /**
     * Whether an object of that type may have a field there. What is no record, as a map, may have any.
     *
     * @param path from the object: names of fields, keys of maps, indexes of lists
     */
    static boolean has(Type type, List<String> path) {
        if (path.isEmpty()) {
            return true;
        }
        List<String> rest = path.subList(1, path.size());
        if (type instanceof Class<?> known) {
            return known.isRecord()
                    ? hasComponent(known, path.getFirst(), rest)
                    : !known.isPrimitive() && !VALUES.contains(known);
        }
        if (type instanceof ParameterizedType made
                && made.getRawType() instanceof Class<?> raw
                && (Map.class.isAssignableFrom(raw) || Collection.class.isAssignableFrom(raw))) {
            Type[] of = made.getActualTypeArguments();
            return has(of[of.length - 1], rest);
        }
        return true;
    }

    private static boolean hasComponent(Class<?> known, String name, List<String> rest) {
        for (RecordComponent component : known.getRecordComponents()) {
            if (component.getName().equals(name)) {
                return has(component.getGenericType(), rest);
            }
        }
        return false;
    }
}
