package io.cleat.codec;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which value a component has that is not there: what an older program did not write. A record all of whose components
 * are absent is; its owner takes the one for the other.
 */
final class Absence {
    private static final Map<Class<?>, Object> EMPTY = Map.of(
            List.class, List.of(),
            Set.class, Set.of(),
            Map.class, Map.of(),
            Optional.class, Optional.empty());

    private Absence() {}

    /**
     * Puts it where nothing was read.
     *
     * @param types of a constructor
     * @param values that the constructor is given
     */
    static void fill(Class<?>[] types, @Nullable Object[] values) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == null) {
                values[i] = types[i].isPrimitive() ? zero(types[i]) : EMPTY.get(types[i]);
            }
        }
    }

    private static Object zero(Class<?> primitive) {
        return Array.get(Array.newInstance(primitive, 1), 0);
    }

    /**
     * Whether {@code value} is what is read where nothing was written.
     *
     * @param type of the component
     */
    static boolean is(Class<?> type, @Nullable Object value) {
        if (type.isPrimitive()) {
            return switch (value) {
                case Boolean is -> !is;
                case Number number -> number.doubleValue() == 0;
                case null, default -> false;
            };
        }
        return switch (value) {
            case null -> true;
            case Optional<?> optional -> optional.isEmpty();
            case Collection<?> collection -> collection.isEmpty();
            case Map<?, ?> map -> map.isEmpty();
            // Where several kinds may be, which of them it is counts.
            case Record whole
            when type.isRecord() -> StoredComponent.all(type).stream().allMatch(each -> each.isAbsentFrom(whole));
            default -> false;
        };
    }
}
