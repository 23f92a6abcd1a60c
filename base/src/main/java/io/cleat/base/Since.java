package io.cleat.base;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The feature level from which the log may hold this: a kind of record, a component of one, or a
 * word of an enum. Below it a component that holds nothing is left out, and all else that is so
 * marked is refused. What has no such mark is of level 1.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface Since {
    /** From 2. */
    int value();
}
