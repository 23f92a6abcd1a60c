/**
 * Search over all resources: by the beginning of an id, and by a part of a name.
 *
 * <p>Receives: a text and a context. Hands on: ids and names, no more of each kind than are shown. Runs on: the
 * request's thread, which may wait for a newer image or for the log. If it fails: a refusal or a trouble, which
 * {@link io.cleat.http.Dispatcher} turns into a status.
 */
@NullMarked
package io.cleat.clusterapi.search;

import org.jspecify.annotations.NullMarked;
