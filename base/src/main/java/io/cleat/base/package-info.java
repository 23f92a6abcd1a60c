/**
 * What every module may know: deadlines, secrets, the three kinds of error, and the ports for time, chance, ids and
 * threads.
 *
 * <p>Receives: nothing. Hands on: values and ports. Runs on: the caller's thread. If it fails: an
 * {@link io.cleat.base.InvariantBroken} goes to the {@link io.cleat.base.FaultHandler}.
 */
@NullMarked
package io.cleat.base;

import org.jspecify.annotations.NullMarked;
