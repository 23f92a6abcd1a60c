/**
 * CSI plugins: how healthy they are, where, and how long their queues of calls are. All is counted from one image.
 *
 * <p>Receives: requests; rows of nodes, jobs and plugins. Hands on: records of plugins; their counts for volumes. Runs
 * on: the request's thread, which may wait for a newer image or for the log. If it fails: a refusal or a trouble, which
 * {@link io.cleat.http.Dispatcher} turns into a status.
 */
@NullMarked
package io.cleat.clusterapi.plugins;

import org.jspecify.annotations.NullMarked;
