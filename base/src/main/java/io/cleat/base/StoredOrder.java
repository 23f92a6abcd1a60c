package io.cleat.base;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * In which order the components of a record with {@link Flattened} groups are written, so that grouping them in another
 * way leaves all bytes as they were. Without it the order is that of the groups.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface StoredOrder {
    /** The name of each component once, with white space between. */
    String value();
}
