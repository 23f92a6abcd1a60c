package io.cleat.codec;

import io.cleat.base.InvariantBroken;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A component of a kind of record.
 *
 * @param type as it is declared
 */
record Component(String name, Class<?> type, Method accessor) {
    private static final ClassValue<List<Component>> OF = new ClassValue<>() {
        @Override
        protected List<Component> computeValue(Class<?> type) {
            return Arrays.stream(type.getRecordComponents()).map(Component::of).toList();
        }
    };

    private static Component of(RecordComponent component) {
        Method accessor = component.getAccessor();
        accessor.setAccessible(true);
        return new Component(component.getName(), component.getType(), accessor);
    }

    /** All of a kind of record, in its order. */
    static List<Component> all(Class<?> type) {
        return OF.get(type);
    }

    @Nullable
    Object read(Record whole) {
        try {
            return accessor.invoke(whole);
        } catch (ReflectiveOperationException hidden) {
            throw new InvariantBroken("a record's components can be read", hidden);
        }
    }

    boolean isAbsentFrom(Record whole) {
        return Absence.is(type, read(whole));
    }
}
