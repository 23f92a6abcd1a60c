/**
 * The task driver {@code java}: runs a jar in a JVM with a heap that fits its memory limit. Also the example of what an
 * author writes with the kit.
 *
 * <p>Receives: tasks whose {@code config} names a jar or a class. Hands on: the command of a JVM. Runs on: the kit's
 * threads. If it fails: the kit tells the agent; its tasks run on.
 */
@NullMarked
package io.cleat.javadriver;

import org.jspecify.annotations.NullMarked;
