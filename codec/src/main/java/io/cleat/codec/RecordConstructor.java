package io.cleat.codec;

import io.cleat.base.InvariantBroken;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationContext;

/** Makes records of one kind from what was read. */
final class RecordConstructor {
    private final Constructor<?> constructor;
    private final Class<?>[] types;

    /** @param constructor takes the components in their order, and may be called from here */
    RecordConstructor(Constructor<?> constructor) {
        this.constructor = constructor;
        this.types = constructor.getParameterTypes();
    }

    static RecordConstructor of(Class<?> type) {
        Class<?>[] types = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return new RecordConstructor(constructor);
        } catch (NoSuchMethodException impossible) {
            throw new InvariantBroken("a record has a constructor of its components", impossible);
        }
    }

    /** How many components there are. */
    int size() {
        return types.length;
    }

    /** @param values of the components; null where nothing was read */
    @Nullable
    Object make(@Nullable Object[] values, DeserializationContext context) {
        Absence.fill(types, values);
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException refused) {
            return context.handleInstantiationProblem(constructor.getDeclaringClass(), values, refused.getCause());
        } catch (ReflectiveOperationException | IllegalArgumentException unfit) {
            return context.handleInstantiationProblem(constructor.getDeclaringClass(), values, unfit);
        }
    }
}
