package io.cleat.api;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what failed when it was written to: the writer of JSON wraps it in exceptions of its own, which look like
 * those of a value that cannot be written. For one thread.
 */
final class WatchedOutput extends OutputStream {
    private final OutputStream out;
    private @Nullable IOException failure;

    WatchedOutput(OutputStream out) {
        this.out = out;
    }

    /** Throws what failed, if anything did. */
    void rethrow() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException failed) {
            failure = failed;
            throw failed;
        }
    }
}
