package io.cleat.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * A socket, TCP or Unix, on which no step waits longer than its limit: blocking channels have no such limit for Unix
 * sockets. Owned by one thread, until its limit is lifted.
 */
public final class TimedChannel extends InputStream {
    /** Bytes that are written at a time. */
    private static final int PART = 64 << 10;

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final Duration idle;
    private volatile boolean unlimited;

    private TimedChannel(SocketChannel channel, Selector selector, Duration idle) throws IOException {
        this.channel = channel;
        this.selector = selector;
        this.idle = idle;
        channel.configureBlocking(false);
        key = channel.register(selector, SelectionKey.OP_CONNECT);
    }

    /**
     * Connects.
     *
     * @param connect how long connecting may take
     * @param idle how long a later step may take
     */
    public static TimedChannel open(SocketAddress address, Duration connect, Duration idle) throws IOException {
        SocketChannel channel = address instanceof UnixDomainSocketAddress
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open();
        TimedChannel timed = null;
        try {
            timed = new TimedChannel(channel, Selector.open(), idle);
            if (!channel.connect(address)) {
                do {
                    timed.await(SelectionKey.OP_CONNECT, connect);
                } while (!channel.finishConnect());
            }
            return timed;
        } catch (IOException | RuntimeException failed) {
            if (timed == null) {
                channel.close();
            } else {
                timed.close();
            }
            throw failed;
        }
    }

    /** From now on each step takes as long as it takes, and one thread may read while another writes. */
    void lift() throws IOException {
        key.cancel();
        selector.close();
        channel.configureBlocking(true);
        unlimited = true;
    }

    void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            // The channel copies all that it is given, each time, however little of it goes out.
            ByteBuffer part = bytes.slice(bytes.position(), Math.min(PART, bytes.remaining()));
            int count = channel.write(part);
            bytes.position(bytes.position() + count);
            if (count == 0 && !unlimited) {
                await(SelectionKey.OP_WRITE, idle);
            }
        }
    }

    /** Nothing more is written. */
    void endOutput() throws IOException {
        channel.shutdownOutput();
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
        ByteBuffer buffer = ByteBuffer.wrap(target, offset, length);
        int count = channel.read(buffer);
        while (count == 0 && !unlimited) {
            await(SelectionKey.OP_READ, idle);
            count = channel.read(buffer);
        }
        return count;
    }

    private void await(int operation, Duration limit) throws IOException {
        key.interestOps(operation);
        if (selector.select(Math.max(1, limit.toMillis())) == 0) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException("interrupted");
            }
            throw new SocketTimeoutException("no answer within " + limit.toSeconds() + " s");
        }
        selector.selectedKeys().clear();
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
