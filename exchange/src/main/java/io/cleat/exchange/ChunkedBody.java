package io.cleat.exchange;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body in chunks (RFC 9112, section 7.1). What has come is given out without waiting for more. */
final class ChunkedBody extends FilterInputStream {
    private long left;
    private boolean isFirst = true;
    private boolean isEnded;

    ChunkedBody(InputStream in) {
        super(in);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (left == 0 && !isEnded) {
            nextChunk();
        }
        if (isEnded) {
            return -1;
        }
        int count = in.read(target, offset, (int) Math.min(length, left));
        if (count < 0) {
            throw new EOFException("the body ended inside a chunk");
        }
        left -= count;
        return count;
    }

    private void nextChunk() throws IOException {
        if (!isFirst) {
            HttpReply.line(in);
        }
        isFirst = false;
        String size = HttpReply.line(in);
        int extension = size.indexOf(';');
        left = HttpReply.number(extension < 0 ? size : size.substring(0, extension), 16);
        if (left == 0) {
            isEnded = true;
            String trailer = HttpReply.line(in);
            while (!trailer.isEmpty()) {
                trailer = HttpReply.line(in);
            }
        }
    }
}
