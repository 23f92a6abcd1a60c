/**
 * One task: its directory, its environment, its start, its restarts and its end.
 *
 * <p>Receives: a task of an allocation whose volumes are published. Hands on: task states with events. Runs on: one
 * virtual thread per task. If it fails: the task is dead and failed, with an event that says why; what runs under a
 * shim outlives the agent and is found again by its handle.
 */
@NullMarked
package io.cleat.agent.task;

import org.jspecify.annotations.NullMarked;
