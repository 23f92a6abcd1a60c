/**
 * The commands, with the verbs, flags, columns and exit codes that users of Nomad know.
 *
 * <p>Receives: arguments, an {@link io.cleat.cli.Environment} and two writers. Hands on: requests to the cluster's HTTP
 * interface. Runs on: the caller's thread. If it fails: what, why and what next on the error writer, and an exit code
 * other than 0.
 */
@NullMarked
package io.cleat.cli;

import org.jspecify.annotations.NullMarked;
