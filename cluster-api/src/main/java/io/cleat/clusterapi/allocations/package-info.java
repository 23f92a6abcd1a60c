/**
 * Allocations: whole, and in lists of all, or of a job, evaluation, deployment or node; their tasks and ports.
 *
 * <p>Receives: requests; rows of allocations. Hands on: records of allocations; their stop. Runs on: the request's
 * thread, which may wait for a newer image or for the log. If it fails: a refusal or a trouble, which
 * {@link io.cleat.http.Dispatcher} turns into a status.
 */
@NullMarked
package io.cleat.clusterapi.allocations;

import org.jspecify.annotations.NullMarked;
