/**
 * The demo: the life of a volume, told step by step, each step verified from outside.
 *
 * <p>Receives: the launcher's path. Hands on: a story on standard output and an exit code. Runs on: the main thread,
 * beside an agent that is a process of its own. If it fails: the check that failed with what was seen, the agent's last
 * words, and nothing of its own left behind.
 */
@NullMarked
package io.cleat.demo;

import org.jspecify.annotations.NullMarked;
