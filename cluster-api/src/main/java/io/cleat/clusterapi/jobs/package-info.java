/**
 * Jobs: as stored, by version, with diffs, scaling policies and tags; on their way in, parsed, checked, planned and
 * registered. What became of their evaluations, allocations and deployments is in the packages of these.
 *
 * <p>Receives: requests with jobs; rows of jobs. Hands on: records of jobs; commands about them. Runs on: the request's
 * thread, which may wait for a newer image or for the log. If it fails: a refusal or a trouble, which
 * {@link io.cleat.http.Dispatcher} turns into a status.
 */
@NullMarked
package io.cleat.clusterapi.jobs;

import org.jspecify.annotations.NullMarked;
