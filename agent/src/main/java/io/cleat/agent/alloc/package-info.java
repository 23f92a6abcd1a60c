/**
 * The allocations of one node: each has a directory, volumes and tasks, and lives from its assignment until the server
 * wants no more of it.
 *
 * <p>Receives: the whole list of assignments, and what is different of it. Hands on: granted claims to the volumes,
 * tasks to their runners, reports to the server. Runs on: one virtual thread per allocation. If it fails: what is
 * written down of an allocation is enough to take it over in a new agent, without a server.
 */
@NullMarked
package io.cleat.agent.alloc;

import org.jspecify.annotations.NullMarked;
