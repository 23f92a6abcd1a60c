/**
 * Deployments: how far a version of a job is, and what people do about it.
 *
 * <p>Receives: requests; rows of deployments. Hands on: records of deployments; commands to pause, promote, fail them.
 * Runs on: the request's thread, which may wait for a newer image or for the log. If it fails: a refusal or a trouble,
 * which {@link io.cleat.http.Dispatcher} turns into a status.
 */
@NullMarked
package io.cleat.clusterapi.deployments;

import org.jspecify.annotations.NullMarked;
