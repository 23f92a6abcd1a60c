/**
 * The {@code docker} driver: containers from images, made and kept by an engine that speaks Docker's API on a Unix
 * socket. The engine is another program: it may be absent, dead, hung or restarted at any time, and what it runs goes
 * on.
 *
 * <p>Receives: a task's configuration, expanded. Hands on: handles that outlive the agent. Runs on: the caller's
 * thread; output is copied on threads of the kernel. If it fails: a {@link io.cleat.base.DriverTrouble} that says
 * whether something may run.
 */
@NullMarked
package io.cleat.driver.docker;

import org.jspecify.annotations.NullMarked;
