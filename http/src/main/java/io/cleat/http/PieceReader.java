package io.cleat.http;

import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.time.Duration;

/** A file, or a task's output, which may still grow: read piece by piece by one thread. */
public interface PieceReader extends AutoCloseable {
    /**
     * The next piece. Waits for one at most {@code wait} if what is read is followed, and then is {@link Quiet}; what
     * is not followed is {@link End} at its end.
     */
    Step next(Duration wait) throws Refused, Trouble, InterruptedException;

    @Override
    void close();

    /** What reading gave. */
    sealed interface Step {}

    /**
     * Some of it.
     *
     * @param bytes at most 256 KiB; the receiver's own
     * @param file such as {@code alloc/logs/t.stdout.0}
     * @param offset position in the file after {@code bytes}
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Piece(byte[] bytes, String file, long offset) implements Step {}

    /**
     * Something was done to the file itself.
     *
     * @param event {@link #DELETED}, after which comes the end, or {@link #TRUNCATED}, after which it is read from its
     *     beginning
     */
    record Changed(String file, String event) implements Step {
        /** As the API says it. */
        public static final String DELETED = "file deleted";

        public static final String TRUNCATED = "file truncated";
    }

    /** Nothing came in time. */
    record Quiet() implements Step {}

    /** There is no more. */
    record End() implements Step {}
}
