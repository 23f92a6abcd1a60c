/**
 * The replicated log: it keeps entries of bytes in one order on every member, and knows nothing of what they mean.
 *
 * <p>Receives: entries from the one thread that decides. Hands on: the same entries, committed and in order, to the
 * {@link io.cleat.log.LogApplier}; leadership; the outcome of each append. Runs on: the library's own threads, and one
 * thread that watches over it. If it fails: an append is told what is known of it; an entry that cannot be read, and a
 * log that closed by itself, go to the {@link io.cleat.base.FaultHandler}, because a half-alive server must not go on.
 */
@NullMarked
package io.cleat.log;

import org.jspecify.annotations.NullMarked;
