/**
 * A log in memory that does whatever Ratis may do, and more often, for tests and simulation.
 *
 * <p>Receives: what a {@link io.cleat.log.ReplicatedLog} receives, and chance. Hands on: the same callbacks. Runs on:
 * the thread that steps it, and nothing by itself. If it fails: the test's fault handler hears of it.
 */
@NullMarked
package io.cleat.log.fake;

import org.jspecify.annotations.NullMarked;
