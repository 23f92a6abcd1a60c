package io.cleat.exchange;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body of a length known before; one that ends early is an error, not a shorter body. */
final class SizedBody extends FilterInputStream {
    private long left;

    SizedBody(InputStream in, long length) {
        super(in);
        left = length;
    }

    /** How much is still to come, in bytes. */
    long left() {
        return left;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (left == 0) {
            return -1;
        }
        int count = in.read(target, offset, (int) Math.min(length, left));
        if (count < 0) {
            throw new EOFException("the body ended " + left + " bytes early");
        }
        left -= count;
        return count;
    }
}
