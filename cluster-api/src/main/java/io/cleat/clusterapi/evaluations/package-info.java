/**
 * Evaluations: runs of the scheduler, what they planned, and what blocked ones wait for.
 *
 * <p>Receives: requests; rows of evaluations. Hands on: records of evaluations; their deletion. Runs on: the request's
 * thread, which may wait for a newer image or for the log. If it fails: a refusal or a trouble, which
 * {@link io.cleat.http.Dispatcher} turns into a status.
 */
@NullMarked
package io.cleat.clusterapi.evaluations;

import org.jspecify.annotations.NullMarked;
