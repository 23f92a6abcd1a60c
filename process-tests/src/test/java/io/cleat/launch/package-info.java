/**
 * An agent as its program starts it, but for one port that a test has its hand in.
 *
 * <p>Receives: the flags of an agent. Hands on: what the agent prints, and its exit code. Runs on: the main thread of a
 * process of its own. If it fails: that process ends, which is what is tested.
 */
@NullMarked
package io.cleat.launch;

import org.jspecify.annotations.NullMarked;
