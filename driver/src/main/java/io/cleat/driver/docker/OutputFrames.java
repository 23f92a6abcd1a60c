package io.cleat.driver.docker;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The frames in which an engine sends output and errors on one connection: a byte for the stream, three of zero, a
 * length in four, the highest first, then the bytes.
 */
final class OutputFrames {
    private static final int HEAD = 8;
    private static final int ERRORS = 2;

    /** An engine sends less; whoever says more is no engine. */
    private static final int LONGEST = 16 << 20;

    private final InputStream in;

    OutputFrames(InputStream in) {
        this.in = in;
    }

    /** What came on one of the streams. */
    @SuppressWarnings("ArrayRecordComponent")
    record Frame(boolean errors, byte[] bytes) {}

    /** The next frame; empty at the end. */
    Optional<Frame> next() throws IOException {
        byte[] head = in.readNBytes(HEAD);
        if (head.length == 0) {
            return Optional.empty();
        }
        if (head.length < HEAD) {
            throw new EOFException("the stream ended inside a frame");
        }
        ByteBuffer fields = ByteBuffer.wrap(head);
        int stream = fields.get(0);
        int length = fields.getInt(4);
        if (stream < 0 || stream > ERRORS + 1 || head[1] != 0 || head[2] != 0 || head[3] != 0) {
            throw new ProtocolException("not a frame of output: it begins with " + stream);
        }
        if (length < 0 || length > LONGEST) {
            throw new ProtocolException("a frame of " + Integer.toUnsignedLong(length) + " bytes");
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the stream ended inside a frame");
        }
        return Optional.of(new Frame(stream == ERRORS, bytes));
    }
}
