/**
 * The artifacts of tasks, on their way to the tasks' directories.
 *
 * <p>Receives: artifacts of a task that is about to start, with where each is to be. Hands on: the files, in the task's
 * directory. Runs on: the task's thread, and one process for each start of a task that has artifacts. If it fails: the
 * artifact's words say why; what was half fetched is in no task's directory and is removed.
 */
@NullMarked
package io.cleat.agent.artifact;

import org.jspecify.annotations.NullMarked;
