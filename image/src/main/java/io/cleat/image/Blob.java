package io.cleat.image;

import java.io.IOException;
import java.io.InputStream;

/** Bytes of known number that can be read from anywhere. One thread. */
interface Blob {
    long size();

    /**
     * Reads some bytes.
     *
     * @param at from where, below {@link #size}
     * @param length above zero
     * @return how many, at least one; -1 if they are not there any more
     */
    int read(long at, byte[] into, int from, int length) throws IOException;

    /** A part of it. */
    default Blob part(long start, long length) {
        Blob whole = this;
        return new Blob() {
            @Override
            public long size() {
                return length;
            }

            @Override
            public int read(long at, byte[] into, int from, int most) throws IOException {
                return whole.read(start + at, into, from, (int) Math.min(most, length - at));
            }
        };
    }

    /** All of it in order. What it skips is not read. */
    default InputStream stream() {
        return new BlobStream(this);
    }
}
