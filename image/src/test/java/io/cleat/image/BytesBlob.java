package io.cleat.image;

/** Bytes in memory. */
record BytesBlob(byte[] bytes) implements Blob {
    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public int read(long at, byte[] into, int from, int length) {
        // Now and then fewer than asked for, as from a pipe.
        int some = Math.max(1, Math.min(length, bytes.length - (int) at) - (int) (at % 3));
        System.arraycopy(bytes, (int) at, into, from, some);
        return some;
    }
}
