/**
 * Tests of the demo's own parts; the whole of it is run by {@code process-tests}.
 *
 * <p>Receives: texts and temporary files. Hands on: nothing. Runs on: the test's thread. If it fails: the test does.
 */
@NullMarked
package io.cleat.demo;

import org.jspecify.annotations.NullMarked;
