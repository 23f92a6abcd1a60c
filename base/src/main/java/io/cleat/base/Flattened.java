package io.cleat.base;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A component that is a record whose own components are stored, sent, and counted as if the owner had them: a group for
 * those who read the code, and nothing to the formats. No two may have the same name; a group is never null.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Flattened {}
