/**
 * Host volumes that are made on a node when somebody asks for them.
 *
 * <p>Receives: orders of a server to make, take in or delete one, and grants of claims of one. Hands on: where it is,
 * to the tasks of its allocation; which there are, to what the node says of itself. Runs on: the threads of orders and
 * of allocations. If it fails: what was not made is said; what was begun and is not written down is found and removed
 * by the order to delete it.
 */
@NullMarked
package io.cleat.agent.host;

import org.jspecify.annotations.NullMarked;
