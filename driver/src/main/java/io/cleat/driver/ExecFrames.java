package io.cleat.driver;

import io.cleat.base.DriverTrouble;
import java.util.Optional;

/**
 * A command that runs in a task, as frames that nobody on the way reads: those of the API, JSON in UTF-8, one each. For
 * a driver that speaks them itself, so that nothing is decoded and encoded again. Otherwise as {@link ExecSession}.
 */
public interface ExecFrames extends AutoCloseable {
    void send(byte[] frame) throws DriverTrouble, InterruptedException;

    /**
     * The next frame; blocks until there is one.
     *
     * @return empty after the one that says how the command ended, or if it is gone without
     */
    Optional<byte[]> next() throws DriverTrouble, InterruptedException;

    @Override
    void close();
}
