/**
 * What drivers whose tasks run under shims have in common: all but what a task is and how it is described to its shim.
 *
 * <p>Receives: descriptions for the shim. Hands on: handles that outlive the agent. Runs on: the caller's thread; the
 * task under its shim. If it fails: a {@link io.cleat.base.DriverTrouble} that says whether something may run.
 */
@NullMarked
package io.cleat.driver.shim;

import org.jspecify.annotations.NullMarked;
