package io.cleat.api;

import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A record with some of its components changed. Each is named by its accessor, so that two of one type cannot change
 * places, and a component that nobody names stays as it is.
 *
 * <pre>{@code
 * Edit.of(job).orElse(Job::Priority, 50).set(Job::Namespace, namespace).done()
 * }</pre>
 */
public final class Edit<R extends Record> {
    /** The names of accessors by the class of their reference; one for each place in the code. */
    private static final Map<Class<?>, String> NAMES = new ConcurrentHashMap<>();

    private final Components<R> components;
    private final @Nullable Object[] values;

    private Edit(Components<R> components, @Nullable Object[] values) {
        this.components = components;
        this.values = values;
    }

    /** The accessor of a component, as a method reference such as {@code Job::Priority}. */
    @FunctionalInterface
    public interface Accessor<R, T> extends Serializable {
        /** The component of {@code of}. */
        @Nullable
        T read(R of);
    }

    /** Begins with a record. */
    public static <R extends Record> Edit<R> of(R given) {
        Components<R> components = Components.of(given);
        return new Edit<>(components, components.values(given));
    }

    /** {@code given} where it says something, else {@code outer}, component by component. */
    static <R extends Record> R over(R outer, @Nullable R given) {
        if (given == null) {
            return outer;
        }
        Edit<R> edit = of(outer);
        @Nullable Object[] said = edit.components.values(given);
        for (int i = 0; i < said.length; i++) {
            edit.values[i] = said[i] == null ? edit.values[i] : said[i];
        }
        return edit.done();
    }

    /** The component becomes {@code value}. */
    public <T> Edit<R> set(Accessor<R, T> component, @Nullable T value) {
        values[components.place(name(component))] = value;
        return this;
    }

    /** The component becomes {@code otherwise} if it is null or an empty text. */
    <T> Edit<R> orElse(Accessor<R, T> component, T otherwise) {
        int place = components.place(name(component));
        if (values[place] == null || "".equals(values[place])) {
            values[place] = otherwise;
        }
        return this;
    }

    /** The record with all changes. */
    public R done() {
        return components.make(values);
    }

    private static String name(Accessor<?, ?> component) {
        return NAMES.computeIfAbsent(component.getClass(), _ -> nameOf(component));
    }

    /** A reference says the method it refers to only in its serialized form. */
    private static String nameOf(Accessor<?, ?> component) {
        try {
            Method form = component.getClass().getDeclaredMethod("writeReplace");
            form.setAccessible(true);
            return ((SerializedLambda) form.invoke(component)).getImplMethodName();
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalArgumentException("no method reference: " + component, impossible);
        }
    }
}
