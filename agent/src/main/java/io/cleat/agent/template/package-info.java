/**
 * The files of a task that are rendered: their functions, where they may lie, when they are rendered again.
 *
 * <p>Receives: the templates of a task, its environment, the files of its allocation. Hands on: files in the
 * allocation's directory, variables, and what a task is to be told of a change. Runs on: the thread of the task before
 * its start, then one virtual thread beside it. If it fails: a {@link io.cleat.base.TemplateTrouble} with the template,
 * the line and the cause; the file stays as it was.
 */
@NullMarked
package io.cleat.agent.template;

import org.jspecify.annotations.NullMarked;
