/**
 * Services that are registered, by name and by job.
 *
 * <p>Receives: requests; rows of services. Hands on: records of services; their deregistration. Runs on: the request's
 * thread, which may wait for a newer image or for the log. If it fails: a refusal or a trouble, which
 * {@link io.cleat.http.Dispatcher} turns into a status.
 */
@NullMarked
package io.cleat.clusterapi.services;

import org.jspecify.annotations.NullMarked;
