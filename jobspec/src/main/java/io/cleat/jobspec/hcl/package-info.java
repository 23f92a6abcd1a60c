/**
 * The configuration language of job and volume files: text to tokens, to a syntax tree, to values. Knows nothing of
 * jobs.
 *
 * <p>Receives: a {@link io.cleat.jobspec.hcl.Source} and the values of its variables. Hands on: a
 * {@link io.cleat.jobspec.hcl.LiveBody}, whose attributes are values. Runs on: the caller's thread, in bounded time,
 * stack and memory whatever the text is. If it fails: each {@link io.cleat.jobspec.hcl.Fault} is collected with its
 * place, and reading goes on behind it.
 */
@NullMarked
package io.cleat.jobspec.hcl;

import org.jspecify.annotations.NullMarked;
