/**
 * Volumes of plugins and of hosts, snapshots, pending calls, and why a volume is as it is.
 *
 * <p>Receives: requests with volumes; rows of volumes, claims and operations. Hands on: records of volumes, without
 * secrets; commands about them. Runs on: the request's thread, which may wait for a newer image or for the log. If it
 * fails: a refusal or a trouble, which {@link io.cleat.http.Dispatcher} turns into a status.
 */
@NullMarked
package io.cleat.clusterapi.volumes;

import org.jspecify.annotations.NullMarked;
