package io.cleat.api;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A component of a type of records.
 *
 * @param nothing its value that says nothing: null where that may be, else what is empty
 */
record Component(
        String name,
        Class<?> type,
        boolean isNullable,
        @Nullable Object nothing,
        Method accessor) {
    private static final Map<Class<?>, Object> EMPTY = Map.of(
            String.class,
            "",
            boolean.class,
            false,
            int.class,
            0,
            long.class,
            0L,
            Duration.class,
            Duration.ZERO,
            List.class,
            List.of(),
            Map.class,
            Map.of());

    static Component of(RecordComponent component) {
        boolean isNullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        Class<?> type = component.getType();
        Method accessor = component.getAccessor();
        accessor.setAccessible(true);
        return new Component(component.getName(), type, isNullable, isNullable ? null : EMPTY.get(type), accessor);
    }

    @Nullable
    Object value(Record of) {
        try {
            return accessor.invoke(of);
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException("cannot read " + name + " of " + of.getClass(), failed);
        }
    }
}
