/**
 * Networks of allocations: a network namespace for each, which plugins of the Container Network Interface (CNI)
 * connect.
 *
 * <p>Receives: which network an allocation's group asks for, and the ports that it was given. Hands on: the namespace's
 * path, to the drivers; which networks there are, to what the node says of itself. Runs on: the threads of allocations.
 * If it fails: the allocation fails with the plugin's words. What was begun is written down first, and is undone by
 * this agent or the next.
 */
@NullMarked
package io.cleat.agent.network;

import org.jspecify.annotations.NullMarked;
