/**
 * For those who write a task driver in Java: one class that says how a task is started is served as a plugin, to Cleat
 * and to Nomad alike.
 *
 * <p>Receives: a {@link io.cleat.driverkit.PluginDriver}, and the calls of the program that started this one. Hands on:
 * the same calls that every {@link io.cleat.driver.TaskDriver} gets, and their answers. Runs on: one virtual thread a
 * call; a call that waits for a task waits on its own. If it fails: the caller is told, and asks again; tasks run on,
 * and a successor finds them.
 */
@NullMarked
package io.cleat.driverkit;

import org.jspecify.annotations.NullMarked;
