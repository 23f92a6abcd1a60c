package io.cleat.driver;

import io.cleat.base.DriverTrouble;
import java.util.Optional;

/**
 * A command that runs in a task, as streams. It ends when this is closed, also by the end of this process, and takes
 * with it what it started. One thread takes the output, one gives the input.
 */
public interface ExecSession extends AutoCloseable {
    /** Input; returns once it is on its way, which a command that reads slowly delays. */
    void input(byte[] bytes) throws DriverTrouble, InterruptedException;

    /** No more input comes: what {@code Ctrl-D} is to a terminal. */
    void endInput() throws DriverTrouble, InterruptedException;

    /** How large the terminal is now; nothing without one. */
    void resize(int rows, int columns) throws DriverTrouble, InterruptedException;

    /**
     * What comes next; blocks until there is something.
     *
     * @return empty if the command is gone without a word, as with its task
     */
    Optional<Output> next() throws DriverTrouble, InterruptedException;

    @Override
    void close();

    /** What came of the command. */
    sealed interface Output {
        /** The receiver's own. */
        @SuppressWarnings("ArrayRecordComponent")
        record Out(byte[] bytes) implements Output {}

        /** The receiver's own; never of a terminal. */
        @SuppressWarnings("ArrayRecordComponent")
        record Err(byte[] bytes) implements Output {}

        /** The last one: nothing of it runs any more. */
        record Exited(ExitResult result) implements Output {}
    }
}
