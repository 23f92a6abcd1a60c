package io.cleat.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * A connection that does not speak HTTP any more. One thread may read while another writes; closing it ends both. What
 * holds it against idleness is up to those who speak.
 */
public final class OpenConnection implements AutoCloseable {
    private final InputStream input;
    private final TimedChannel channel;

    OpenConnection(InputStream input, TimedChannel channel) {
        this.input = input;
        this.channel = channel;
    }

    /** What comes, beginning with what came right behind the answer. */
    public InputStream input() {
        return input;
    }

    /** Returns once all is on its way. */
    public void write(ByteBuffer bytes) throws IOException {
        channel.write(bytes);
    }

    /** Nothing more is written; what comes can still be read. */
    public void endOutput() throws IOException {
        channel.endOutput();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException nothingIsLost) {
            return;
        }
    }
}
