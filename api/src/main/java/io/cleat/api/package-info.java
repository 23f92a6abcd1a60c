/**
 * The JSON of {@code /v1}: a record per object, the defaults and rules of a job, the one conversion between job JSON
 * and the model, and a typed client. Components are named as the wire names them.
 *
 * <p>Receives: bodies. Hands on: records, and jobs of the model. Runs on: the caller's thread. If it fails: a body that
 * cannot be read is a {@link io.cleat.base.Refusal.Malformed} with its place; an answer that is no success is an
 * {@link io.cleat.api.UnexpectedAnswer}.
 */
@NullMarked
package io.cleat.api;

import org.jspecify.annotations.NullMarked;
