/**
 * What the leader does by itself. Each duty looks at the rows of the newest image and does what they ask for: nothing
 * is remembered between two looks but how long to wait, so that a duty that was lost with its leader is taken up by the
 * next.
 *
 * <p>Receives: images. Hands on: commands to the committer, orders to the nodes' sessions. Runs on: one thread per
 * duty, {@code duty/<name>}, from the beginning of a reign to its end; woken by changes of the tables it looks at, and
 * by time. If it fails: it is said, and tried again with back-off.
 */
@NullMarked
package io.cleat.server.duty;

import org.jspecify.annotations.NullMarked;
