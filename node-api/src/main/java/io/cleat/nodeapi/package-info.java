/**
 * What one node's agent answers: the files and output of its allocations, commands and signals in their tasks, what
 * tasks and the machine use, and what the agent says of itself ({@link io.cleat.nodeapi.AgentNode}). Its routes are in
 * {@link io.cleat.http.routes}. Knows no server: of the cluster there is nothing here.
 *
 * <p>Receives: requests about an allocation or node, and the agent's own allocations
 * ({@link io.cleat.nodeapi.LocalNode}). Hands on: records of the wire, pieces of files and output, frames of commands;
 * signals and restarts to the agent. Runs on: the request's thread; files of allocations are read by path workers, each
 * call with a deadline. If it fails: a refusal or a trouble, which {@link io.cleat.http.Dispatcher} turns into a
 * status; a stream that has begun ends.
 */
@NullMarked
package io.cleat.nodeapi;

import org.jspecify.annotations.NullMarked;
