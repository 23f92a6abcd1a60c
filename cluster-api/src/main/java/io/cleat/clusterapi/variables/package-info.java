/**
 * Variables and their locks.
 *
 * <p>Receives: requests with items, which are secrets; rows with encrypted items. Hands on: items to whoever asks for
 * the variable, names alone in lists; writes. Runs on: the request's thread, which may wait for a newer image or for
 * the log. If it fails: a refusal or a trouble, which {@link io.cleat.http.Dispatcher} turns into a status.
 */
@NullMarked
package io.cleat.clusterapi.variables;

import org.jspecify.annotations.NullMarked;
