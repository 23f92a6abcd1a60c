/**
 * The servers of the cluster, as this one knows them.
 *
 * <p>Receives: what the log says of its members. Hands on: who they are and how their logs stand. Runs on: any thread.
 * If it fails: nothing here fails: a member that is not heard is told as not alive.
 */
@NullMarked
package io.cleat.clusterapi.membership;

import org.jspecify.annotations.NullMarked;
