/**
 * The server, put together: log, decider, image, sessions of nodes, duties of the leader, requests.
 *
 * <p>Receives: settings and ports. Hands on: {@link io.cleat.server.intake.Requests} and the sessions of nodes. Runs
 * on: threads of its parts, and one that opens and ends reigns. If it fails: what cannot be opened is a
 * {@link io.cleat.base.Trouble}; a broken invariant goes to the fault handler, which ends the process.
 */
@NullMarked
package io.cleat.server;

import org.jspecify.annotations.NullMarked;
