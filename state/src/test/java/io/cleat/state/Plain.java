package io.cleat.state;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A record as plain data: taken apart into its components, changed by name, put together again. */
final class Plain {
    private Plain() {}

    /**
     * {@code row} with other components.
     *
     * @param namesAndValues in turn
     */
    static <R extends Record> R with(R row, @Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> changed = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            changed.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        try {
            RecordComponent[] components = row.getClass().getRecordComponents();
            Class<?>[] types = new Class<?>[components.length];
            @Nullable Object[] values = new @Nullable Object[components.length];
            for (int i = 0; i < components.length; i++) {
                String name = components[i].getName();
                types[i] = components[i].getType();
                values[i] = changed.containsKey(name)
                        ? changed.remove(name)
                        : components[i].getAccessor().invoke(row);
            }
            if (!changed.isEmpty()) {
                throw new AssertionError(row.getClass() + " has no " + changed.keySet());
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
