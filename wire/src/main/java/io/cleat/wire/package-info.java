/**
 * What server and node say to each other, and the connections they say it over: in process, or a stream of frames over
 * gRPC.
 *
 * <p>Receives: messages of one side. Hands on: the same messages, in order, to the other side. Runs on: the caller's
 * thread; a transport adds its own. If it fails: the link is closed, both sides see a
 * {@link io.cleat.base.LinkTrouble}, and the node opens a new one and says everything again.
 */
@NullMarked
package io.cleat.wire;

import org.jspecify.annotations.NullMarked;
