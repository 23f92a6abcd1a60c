/**
 * The node side of Cleat, put together: one {@link io.cleat.agent.Agent} per machine.
 *
 * <p>Receives: assignments and orders of a server. Hands on: reports of what is true on the node. Runs on: virtual
 * threads, one per allocation, task and plugin, one lane per volume. If it fails: the agent stops new work, leaves
 * tasks and mounts as they are, and ends; a new agent takes them over.
 */
@NullMarked
package io.cleat.agent;

import org.jspecify.annotations.NullMarked;
