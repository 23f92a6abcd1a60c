package io.cleat.image;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** A {@link Blob} from its first byte to its last, read in large pieces. */
final class BlobStream extends InputStream {
    private static final int PIECE = 1 << 17;

    private final Blob blob;
    private final byte[] piece = new byte[PIECE];
    private long position;
    private int from;
    private int until;

    BlobStream(Blob blob) {
        this.blob = blob;
    }

    @Override
    public int read() throws IOException {
        return fill() ? piece[take(1)] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int some = Math.min(length, until - from);
        System.arraycopy(piece, take(some), into, at, some);
        return some;
    }

    @Override
    public long skip(long bytes) {
        long some = Math.min(Math.max(0, bytes), blob.size() - position);
        long inPiece = Math.min(some, until - from);
        from += (int) inPiece;
        position += some;
        if (some > inPiece) {
            from = 0;
            until = 0;
        }
        return some;
    }

    /** Whether there is more, which {@code GZIPInputStream} asks at the end of each member. */
    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, blob.size() - position);
    }

    private int take(int bytes) {
        int at = from;
        from += bytes;
        position += bytes;
        return at;
    }

    private boolean fill() throws IOException {
        if (from < until) {
            return true;
        }
        if (position >= blob.size()) {
            return false;
        }
        int got = blob.read(position, piece, 0, (int) Math.min(PIECE, blob.size() - position));
        if (got <= 0) {
            throw new EOFException("it became shorter while it was read");
        }
        from = 0;
        until = got;
        return true;
    }
}
