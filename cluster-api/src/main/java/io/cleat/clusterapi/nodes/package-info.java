/**
 * Nodes, what is on them, their drains, and the pools they are in.
 *
 * <p>Receives: requests; rows of nodes. Hands on: records of nodes and pools; commands of operators about nodes; where
 * the agent of a node answers. Runs on: the request's thread, which may wait for a newer image or for the log. If it
 * fails: a refusal or a trouble, which {@link io.cleat.http.Dispatcher} turns into a status.
 */
@NullMarked
package io.cleat.clusterapi.nodes;

import org.jspecify.annotations.NullMarked;
