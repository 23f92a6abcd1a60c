package io.cleat.codec;

import io.cleat.base.Flattened;
import io.cleat.base.InvariantBroken;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A component of a kind of record, or of a group that the kind has {@link Flattened}.
 *
 * @param type as it is declared
 * @param group that it is in; null if it is the record's own
 */
record StoredComponent(
        String name,
        Class<?> type,
        Method accessor,
        @Nullable StoredComponent group) {
    private static final ClassValue<List<StoredComponent>> OF = new ClassValue<>() {
        @Override
        protected List<StoredComponent> computeValue(Class<?> type) {
            return below(type, null).toList();
        }
    };

    private static Stream<StoredComponent> below(Class<?> type, @Nullable StoredComponent group) {
        return Arrays.stream(type.getRecordComponents()).flatMap(each -> {
            StoredComponent one = of(each, group);
            return each.isAnnotationPresent(Flattened.class) ? below(each.getType(), one) : Stream.of(one);
        });
    }

    private static StoredComponent of(RecordComponent component, @Nullable StoredComponent group) {
        Method accessor = component.getAccessor();
        accessor.setAccessible(true);
        return new StoredComponent(component.getName(), component.getType(), accessor, group);
    }

    /** All of a kind of record, in its order. */
    static List<StoredComponent> all(Class<?> type) {
        return OF.get(type);
    }

    /** Whether a type is a record some of whose components are {@link Flattened}. */
    static boolean hasGroups(Class<?> type) {
        return type.isRecord()
                && Arrays.stream(type.getRecordComponents())
                        .anyMatch(each -> each.isAnnotationPresent(Flattened.class));
    }

    @Nullable
    Object read(Record whole) {
        return read(accessor, group == null ? whole : group.read(whole));
    }

    static @Nullable Object read(Method accessor, @Nullable Object of) {
        try {
            return accessor.invoke(of);
        } catch (ReflectiveOperationException hidden) {
            throw new InvariantBroken("a record's components can be read", hidden);
        }
    }

    boolean isAbsentFrom(Record whole) {
        return Absence.is(type, read(whole));
    }
}
