/**
 * The node's conversation with a server: what it is told, and what it says.
 *
 * <p>Receives: links to a server, and news of the node's own parts. Hands on: assignments and orders to those parts;
 * reports to the server. Runs on: one thread that receives, one that sends, one that beats. If it fails: the link is
 * closed and a new one opened with back-off, on which everything is said again.
 */
@NullMarked
package io.cleat.agent.report;

import org.jspecify.annotations.NullMarked;
