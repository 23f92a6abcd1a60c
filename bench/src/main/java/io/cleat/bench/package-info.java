/**
 * Measurements, each beside its limit from the same run.
 *
 * <p>Receives: a scratch directory. Hands on: a table. Runs on: the main thread, and whatever a measurement starts. If
 * it fails: the row says why, the others go on, and the exit code is 1.
 */
@NullMarked
package io.cleat.bench;

import org.jspecify.annotations.NullMarked;
