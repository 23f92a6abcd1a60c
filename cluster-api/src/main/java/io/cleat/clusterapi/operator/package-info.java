/**
 * The cluster itself: its members, figures, how jobs are placed, recovery, and its image as a file.
 *
 * <p>Receives: requests of operators; images, membership. Hands on: records about the cluster, a snapshot; commands to
 * configure, recover, collect garbage. Runs on: the request's thread, which may wait for a newer image or for the log.
 * If it fails: a refusal or a trouble, which {@link io.cleat.http.Dispatcher} turns into a status.
 */
@NullMarked
package io.cleat.clusterapi.operator;

import org.jspecify.annotations.NullMarked;
