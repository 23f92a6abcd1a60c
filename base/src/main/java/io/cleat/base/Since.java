package io.cleat.base;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The feature level from which the log may hold this: a kind of record, a component of one, or a word of an enum. Below
 * it a component that holds nothing is left out, and all else that is so marked is refused. What has no such mark is of
 * level 1.
 *
 * <p>What only server and node say to each other has no level: it is marked with the version of their protocol instead.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface Since {
    /** From 2; 1 for what has no level. */
    int value() default 1;

    /** The version of the protocol between server and node; 0 for what the log may hold, too. */
    int wire() default 0;
}
