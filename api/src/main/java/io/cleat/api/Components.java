package io.cleat.api;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a type of records consists of, and how one is taken apart and put together. */
final class Components<R extends Record> {
    private static final ClassValue<Components<?>> KNOWN = new ClassValue<>() {
        @Override
        protected Components<?> computeValue(Class<?> type) {
            return new Components<>(type.asSubclass(Record.class));
        }
    };

    private final Class<R> type;
    private final List<RecordComponent> all;
    private final List<String> names;
    private final Constructor<R> constructor;

    private Components(Class<R> type) {
        this.type = type;
        this.all = List.of(type.getRecordComponents());
        this.names = all.stream().map(RecordComponent::getName).toList();
        try {
            this.constructor = type.getDeclaredConstructor(
                    all.stream().map(RecordComponent::getType).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException("a record without its constructor", impossible);
        }
        constructor.setAccessible(true);
        all.forEach(each -> each.getAccessor().setAccessible(true));
    }

    // A record is of its own class.
    @SuppressWarnings("unchecked")
    static <R extends Record> Components<R> of(R record) {
        return (Components<R>) KNOWN.get(record.getClass());
    }

    /** Where a component stands among the others. */
    int place(String name) {
        int place = names.indexOf(name);
        if (place < 0) {
            throw new IllegalArgumentException("%s has no component %s".formatted(type.getSimpleName(), name));
        }
        return place;
    }

    /** In the order of the declaration. */
    @Nullable
    Object[] values(R record) {
        return all.stream().map(each -> value(each, record)).toArray();
    }

    private static @Nullable Object value(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException("cannot read " + component, failed);
        }
    }

    /** The record of these values. */
    R make(@Nullable Object[] values) {
        try {
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException | IllegalArgumentException failed) {
            throw new IllegalArgumentException("these values make no " + type.getSimpleName(), failed);
        }
    }
}
