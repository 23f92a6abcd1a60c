/**
 * What the cluster decides: pure functions from an image and a command to changes and a reply, or to a refusal. Nothing
 * else writes to the log.
 *
 * <p>Receives: commands of intake, duties and sessions, through the decider. Hands on: changes, which become the next
 * image. Runs on: the decider's thread; also any other that only wants to know what would come of it. If it fails: a
 * refusal changes nothing and says what is in the way and what happens next.
 */
@NullMarked
package io.cleat.server.decide;

import org.jspecify.annotations.NullMarked;
