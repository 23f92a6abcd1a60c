package io.cleat.http;

import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.Optional;

/**
 * A command that runs in a task, as the frames of the API, which the routes pass on unread: JSON in UTF-8, one each.
 * Closing it ends the command. One thread sends, another takes.
 */
public interface ExecFrames extends AutoCloseable {
    /** Returns once the frame is on its way, which a slow command delays. */
    void send(byte[] frame) throws Refused, Trouble, InterruptedException;

    /**
     * The next frame; blocks until there is one.
     *
     * @return empty after the one that says how the command ended, or if it is gone without
     */
    Optional<byte[]> next() throws Trouble, InterruptedException;

    @Override
    void close();
}
