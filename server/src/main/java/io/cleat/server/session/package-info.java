/**
 * The connections of nodes: what a node says becomes commands, what the image says of it becomes assignments, and
 * orders go out to it.
 *
 * <p>Receives: links of nodes, new images, orders of the duties. Hands on: commands to the committer, messages to
 * nodes. Runs on: per link one thread that reads and one that writes. If it fails: the link is closed and forgotten;
 * the node opens another and says everything again.
 */
@NullMarked
package io.cleat.server.session;

import org.jspecify.annotations.NullMarked;
