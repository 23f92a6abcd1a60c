/**
 * Inputs that nobody meant, for whatever reads what comes from outside: made from samples, kept when they reach new
 * code, judged by how the reader ends.
 *
 * <p>Receives: samples of each {@link io.cleat.fuzz.Target}. Hands on: findings, each a file that replays. Runs on: one
 * thread, and one that watches it. If it fails: nothing of the program is touched.
 */
@NullMarked
package io.cleat.fuzz;

import org.jspecify.annotations.NullMarked;
