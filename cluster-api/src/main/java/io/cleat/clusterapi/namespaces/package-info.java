/**
 * Namespaces.
 *
 * <p>Receives: requests; rows of namespaces. Hands on: records of namespaces; their making and removal. Runs on: the
 * request's thread, which may wait for a newer image or for the log. If it fails: a refusal or a trouble, which
 * {@link io.cleat.http.Dispatcher} turns into a status.
 */
@NullMarked
package io.cleat.clusterapi.namespaces;

import org.jspecify.annotations.NullMarked;
