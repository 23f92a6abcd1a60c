/**
 * How tasks are run: the interface every task driver has. Each driver is in a package below.
 *
 * <p>Receives: a task's configuration, expanded. Hands on: handles that outlive the agent. Runs on: the caller's
 * thread. If it fails: a {@link io.cleat.base.DriverTrouble} that says whether something may run.
 */
@NullMarked
package io.cleat.driver;

import org.jspecify.annotations.NullMarked;
