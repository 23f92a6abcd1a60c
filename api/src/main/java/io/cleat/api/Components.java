package io.cleat.api;

import java.lang.reflect.Constructor;
import java.util.Arrays;
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
    private final List<Component> all;
    private final List<String> names;
    private final Constructor<R> constructor;

    private Components(Class<R> type) {
        this.type = type;
        this.all = Arrays.stream(type.getRecordComponents()).map(Component::of).toList();
        this.names = all.stream().map(Component::name).toList();
        try {
            this.constructor = type.getDeclaredConstructor(
                    all.stream().map(Component::type).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException("a record without its constructor", impossible);
        }
        constructor.setAccessible(true);
    }

    // A record is of its own class.
    @SuppressWarnings("unchecked")
    static <R extends Record> Components<R> of(R record) {
        return of((Class<R>) record.getClass());
    }

    // Each class has the components of its own records.
    @SuppressWarnings("unchecked")
    static <R extends Record> Components<R> of(Class<R> type) {
        return (Components<R>) KNOWN.get(type);
    }

    /** In the order of the declaration. */
    List<String> names() {
        return names;
    }

    Component component(String name) {
        return all.get(place(name));
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
        @Nullable Object[] values = new Object[all.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = all.get(i).value(record);
        }
        return values;
    }

    /** A record that says nothing: null where that may be, else what is empty. */
    @Nullable
    Object[] nothing() {
        return all.stream().map(Component::nothing).toArray();
    }

    @Override
    public String toString() {
        return type.getSimpleName();
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
