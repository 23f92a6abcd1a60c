package io.cleat.fuzz.targets;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** What only its own package may call: readers stay as closed as they are, and are fuzzed all the same. */
final class Hidden {
    private Hidden() {}

    static Class<?> type(String name) {
        try {
            return Class.forName("io.cleat." + name);
        } catch (ClassNotFoundException renamed) {
            throw new IllegalStateException("io.cleat." + name + " is gone: name what reads this now", renamed);
        }
    }

    static Method method(String type, String name, Class<?>... parameters) {
        try {
            Method method = type(type).getDeclaredMethod(name, parameters);
            method.setAccessible(true);
            return method;
        } catch (NoSuchMethodException renamed) {
            throw new IllegalStateException(
                    "io.cleat." + type + "." + name + " is gone: name what reads this now", renamed);
        }
    }

    static Constructor<?> constructor(String type, Class<?>... parameters) {
        try {
            Constructor<?> constructor = type(type).getDeclaredConstructor(parameters);
            constructor.setAccessible(true);
            return constructor;
        } catch (NoSuchMethodException changed) {
            throw new IllegalStateException("io.cleat." + type + " is made otherwise now", changed);
        }
    }

    /** A constant. */
    static Object constant(String type, String name) {
        try {
            Field field = type(type).getDeclaredField(name);
            field.setAccessible(true);
            Object value = field.get(null);
            if (value == null) {
                throw new IllegalStateException(type + "." + name + " is null");
            }
            return value;
        } catch (ReflectiveOperationException renamed) {
            throw new IllegalStateException("io.cleat." + type + "." + name + " is gone", renamed);
        }
    }

    static Object make(Constructor<?> constructor, Object... arguments) throws Exception {
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException thrown) {
            throw cause(thrown);
        }
    }

    /** What the method gives; what it throws comes out as it was thrown. */
    static @Nullable Object call(Method method, @Nullable Object on, @Nullable Object... arguments) throws Exception {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException thrown) {
            throw cause(thrown);
        }
    }

    private static Exception cause(InvocationTargetException thrown) {
        return switch (thrown.getCause()) {
            case Exception exception -> exception;
            case Error error -> throw error;
            case null, default -> thrown;
        };
    }
}
