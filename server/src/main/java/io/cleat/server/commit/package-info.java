/**
 * From a proposal to a committed change: one thread decides, many decisions share a log entry, and each caller is
 * answered once what its answer rests on is applied. Knows nothing of volumes: the image, its changes and their bytes
 * are behind {@link io.cleat.server.commit.StateMachine}.
 *
 * <p>Receives: proposals from any thread, committed entries from the log. Hands on: answers, and images to readers and
 * listeners. Runs on: the thread {@code commit/decider}, and the log's applying thread. If it fails: an answer that
 * cannot be known by the deadline is a {@link io.cleat.base.LogTrouble} with an unknown effect; what breaks an
 * invariant ends the process.
 */
@NullMarked
package io.cleat.server.commit;

import org.jspecify.annotations.NullMarked;
