/**
 * Where requests come in: checked values become commands with a request id, and whoever asked waits here until what was
 * asked is decided, or done. Reads get an image, at once or when it has changed.
 *
 * <p>Receives: calls of the cluster's API. Hands on: commands to the committer; replies and images to the callers. Runs
 * on: the callers' threads. If it fails: a {@link io.cleat.base.Refused} with the reason, or a
 * {@link io.cleat.base.Trouble} that says whether repeating helps.
 */
@NullMarked
package io.cleat.server.intake;

import org.jspecify.annotations.NullMarked;
