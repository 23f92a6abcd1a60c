package io.cleat.http;

import java.util.function.Supplier;

/** What a {@code filter} expression asks of an object. */
@FunctionalInterface
public interface Filter {
    /** The filter of a request without one. */
    Filter ALL = object -> true;

    /**
     * What it looks at is counted for the whole list; when that is too much, {@link Dispatcher} refuses the request.
     *
     * @param object gives the object as the API shows it; asked only if the filter looks at it
     */
    boolean matches(Supplier<?> object);
}
