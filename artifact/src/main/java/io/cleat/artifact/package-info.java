/**
 * Fetching: what a task needs from elsewhere, brought into a directory that no task sees.
 *
 * <p>Receives: artifacts of a task whose references are resolved. Hands on: fresh trees of plain files, directories and
 * links that stay inside, for the agent to move to the task. Runs on: a process of its own per start of a task, one
 * virtual thread per artifact. If it fails: the artifact's outcome says why, in words without secrets; the agent loses
 * nothing but that process.
 */
@NullMarked
package io.cleat.artifact;

import org.jspecify.annotations.NullMarked;
