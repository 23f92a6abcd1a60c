/**
 * Composition: the program's roles, each made of its objects in one place.
 *
 * <p>Receives: the command line and the environment. Hands on: the objects of one role to each other. Runs on: the main
 * thread. If it fails: the reason on standard error, and an exit code.
 */
@NullMarked
package io.cleat.launch;

import org.jspecify.annotations.NullMarked;
