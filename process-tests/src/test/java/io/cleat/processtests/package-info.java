/**
 * Runs of the whole program, as a user starts it, and of parts of it that are killed where it hurts.
 *
 * <p>Receives: the launcher. Hands on: what its processes printed, to the test that failed. Runs on: the test's thread.
 * If it fails: the processes of the run are ended.
 */
@NullMarked
package io.cleat.processtests;

import org.jspecify.annotations.NullMarked;
