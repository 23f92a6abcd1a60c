/**
 * The {@code exec} driver: a command of the host in a container of its own, made by an OCI runtime (runc or crun), with
 * the host's system directories bound into it and nothing else of the host's.
 *
 * <p>Receives: a task's configuration, expanded. Hands on: handles that outlive the agent. Runs on: the caller's
 * thread; the task under its shim. If it fails: a {@link io.cleat.base.DriverTrouble} that says whether something may
 * run.
 */
@NullMarked
package io.cleat.driver.exec;

import org.jspecify.annotations.NullMarked;
