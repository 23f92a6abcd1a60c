/**
 * What programs that hold a task driver speak: messages and stubs, generated from {@code src/main/protobuf}. Names of
 * services and numbers of fields are those that existing programs have.
 *
 * <p>Receives: nothing. Hands on: messages and stubs to whoever speaks to such a program, or is one. Runs on: the
 * caller's thread. If it fails: protobuf's own exceptions.
 */
@NullMarked
package io.cleat.driverschema;

import org.jspecify.annotations.NullMarked;
