package io.cleat.http;

import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.time.Duration;

/** A task's output, read piece by piece by one thread. */
public interface LogReader extends AutoCloseable {
    /**
     * The next piece. Waits for one at most {@code wait} if the output is followed, and then is
     * {@link Quiet}; output that is not followed is {@link End} at its end.
     */
    Step next(Duration wait) throws Refused, Trouble, InterruptedException;

    @Override
    void close();

    /** What reading gave. */
    sealed interface Step {}

    /**
     * Some output.
     *
     * @param bytes at most 64 KiB; the receiver's own
     * @param file such as {@code alloc/logs/t.stdout.0}
     * @param offset position in the file after {@code bytes}
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Piece(byte[] bytes, String file, long offset) implements Step {}

    /** Nothing came in time. */
    record Quiet() implements Step {}

    /** There is no more. */
    record End() implements Step {}
}
