/**
 * The {@code raw_exec} driver: a command of the host, under a shim, in a session and a control group of its own, and
 * with nothing hidden from it.
 *
 * <p>Receives: a task's configuration, expanded. Hands on: handles that outlive the agent. Runs on: the caller's
 * thread; the task under its shim. If it fails: a {@link io.cleat.base.DriverTrouble} that says whether something may
 * run.
 */
@NullMarked
package io.cleat.driver.rawexec;

import org.jspecify.annotations.NullMarked;
