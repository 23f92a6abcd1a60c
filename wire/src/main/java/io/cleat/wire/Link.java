package io.cleat.wire;

import io.cleat.base.LinkTrouble;

/**
 * One end of an ordered connection. What is sent arrives once, in order, or the link closes; after a close nothing is
 * known of what was under way, and the two sides start over with a new link.
 *
 * @param <O> what this end sends
 * @param <I> what this end receives
 */
public interface Link<O, I> extends AutoCloseable {
    /**
     * Sends, waiting while the other side is more than the link's bound behind.
     *
     * @throws LinkTrouble once the link is closed
     */
    void send(O message) throws LinkTrouble, InterruptedException;

    /**
     * The next message, waited for.
     *
     * @throws LinkTrouble once the link is closed and all that came before is read
     */
    I receive() throws LinkTrouble, InterruptedException;

    /**
     * Whether both sides turned out to speak a later version than the first message was written in: that may have lost
     * what its version lacks. Known once something was received.
     */
    default boolean saysMoreThanAtFirst() {
        return false;
    }

    /** Closes both directions; idempotent. */
    @Override
    void close();
}
