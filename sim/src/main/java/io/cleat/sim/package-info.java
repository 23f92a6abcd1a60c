/**
 * Seeded runs of a whole cluster in one thread: the real server, agents and their plugin clients over a log, machines,
 * network and storage in memory, with faults. One seed is one run, the same each time.
 *
 * <p>Receives: a seed. Hands on: a run's hash and what happened in it. Runs on: the caller's thread, which carries
 * every thread of the program under test. If it fails: {@link io.cleat.sim.RunFailed} with the seed and the last
 * events.
 */
@NullMarked
package io.cleat.sim;

import org.jspecify.annotations.NullMarked;
