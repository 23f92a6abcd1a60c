package io.cleat.state;

import io.cleat.base.Flattened;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A record as plain data: taken apart into its components, changed by name, put together again. */
final class Plain {
    private Plain() {}

    /**
     * {@code row} with other components, of its own or of its groups.
     *
     * @param namesAndValues in turn
     */
    static <R extends Record> R with(R row, @Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> changed = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            changed.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        R made = copy(row, changed);
        if (!changed.isEmpty()) {
            throw new AssertionError(row.getClass() + " has no " + changed.keySet());
        }
        return made;
    }

    private static <R extends Record> R copy(R row, Map<String, @Nullable Object> changed) {
        try {
            RecordComponent[] components = row.getClass().getRecordComponents();
            Class<?>[] types = new Class<?>[components.length];
            @Nullable Object[] values = new @Nullable Object[components.length];
            for (int i = 0; i < components.length; i++) {
                String name = components[i].getName();
                types[i] = components[i].getType();
                Object now = components[i].getAccessor().invoke(row);
                values[i] = components[i].isAnnotationPresent(Flattened.class)
                        ? copy((Record) now, changed)
                        : changed.containsKey(name) ? changed.remove(name) : now;
            }
            Constructor<?> constructor = row.getClass().getDeclaredConstructor(types);
            @SuppressWarnings("unchecked") // it makes what it was looked up in
            R made = (R) constructor.newInstance(values);
            return made;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(row.getClass().getName(), e);
        }
    }
}
