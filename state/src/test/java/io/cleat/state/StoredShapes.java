package io.cleat.state;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The records and words that a stored record may hold, by its declaration and by its value. */
final class StoredShapes {
    private StoredShapes() {}

    /** All types of the program that a value of {@code type} may hold, itself among them. */
    static Set<Class<?>> reachable(Class<?> type) {
        Set<Class<?>> found = new HashSet<>();
        reach(type, found);
        return found;
    }

    private static void reach(Type type, Set<Class<?>> found) {
        if (type instanceof ParameterizedType of) {
            for (Type argument : of.getActualTypeArguments()) {
                reach(argument, found);
            }
        } else if (type instanceof Class<?> plain && plain.getName().startsWith("io.cleat.") && found.add(plain)) {
            if (plain.isSealed()) {
                for (Class<?> kind : plain.getPermittedSubclasses()) {
                    reach(kind, found);
                }
            }
            if (plain.isRecord()) {
                for (RecordComponent component : plain.getRecordComponents()) {
                    reach(component.getGenericType(), found);
                }
            }
        }
    }

    /** Notes the class of each record in a value. */
    static void meet(@Nullable Object value, Set<Class<?>> met) throws ReflectiveOperationException {
        switch (value) {
            case Collection<?> several -> {
                for (Object each : several) {
                    meet(each, met);
                }
            }
            case Map<?, ?> map -> {
                meet(map.keySet(), met);
                meet(map.values(), met);
            }
            case Optional<?> some -> meet(some.orElse(null), met);
            case Record whole -> {
                met.add(whole.getClass());
                for (RecordComponent component : whole.getClass().getRecordComponents()) {
                    component.getAccessor().setAccessible(true);
                    meet(component.getAccessor().invoke(whole), met);
                }
            }
            case null, default -> {}
        }
    }
}
