package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** The way to one running shim: the socket in its directory, however long that path is. */
final class ShimSocket {
    private static final int MOST_REPLY = 1 << 16;

    private final Path directory;

    ShimSocket(Path directory) {
        this.directory = directory;
    }

    /**
     * A connection; a task's end closes it.
     *
     * @throws IOException if no shim listens
     */
    SocketChannel connect() throws IOException {
        // An address has at most 107 bytes, a path has more: so it is named by an open directory.
        int handle = Libc.open(directory.toString(), Libc.O_PATH);
        if (handle < 0) {
            throw new IOException(directory + ": " + Errno.text(-handle));
        }
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        boolean connected = false;
        try {
            channel.connect(UnixDomainSocketAddress.of("/proc/self/fd/" + handle + "/socket"));
            connected = true;
            return channel;
        } finally {
            Libc.close(handle);
            if (!connected) {
                channel.close();
            }
        }
    }

    /** Whether it was not taken away; who listens at it is another question. */
    boolean isThere() {
        return Files.exists(directory.resolve("socket"), LinkOption.NOFOLLOW_LINKS);
    }

    /** A connection for more than one request. */
    Talk talk() throws IOException {
        SocketChannel channel = connect();
        boolean open = false;
        try {
            Talk talk = new Talk(channel, Selector.open());
            open = true;
            return talk;
        } finally {
            if (!open) {
                channel.close();
            }
        }
    }

    /** One request after the other, each with its answer. Owned by one thread. */
    static final class Talk implements AutoCloseable {
        private final SocketChannel channel;
        private final Selector selector;
        private boolean kept;

        private Talk(SocketChannel channel, Selector selector) {
            this.channel = channel;
            this.selector = selector;
        }

        /** The answer to a request, which a frame is put around. */
        String ask(byte[] request, Deadline deadline) throws IOException {
            ByteBuffer frame = ByteBuffer.allocate(4 + request.length).putInt(request.length);
            frame.put(request).flip();
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
            write(channel, selector, frame, deadline);
            key.interestOps(SelectionKey.OP_READ);
            ByteBuffer head = read(channel, selector, ByteBuffer.allocate(4), deadline);
            int length = head.getInt(0);
            if (length < 0 || length > MOST_REPLY) {
                throw new IOException("an answer of " + length + " bytes");
            }
            ByteBuffer body = read(channel, selector, ByteBuffer.allocate(length), deadline);
            key.cancel();
            selector.selectNow();
            return new String(body.array(), StandardCharsets.UTF_8);
        }

        /** The connection, which is the caller's from now on. */
        SocketChannel keep() throws IOException {
            channel.configureBlocking(true);
            kept = true;
            return channel;
        }

        @Override
        public void close() throws IOException {
            selector.close();
            if (!kept) {
                channel.close();
            }
        }
    }

    /** One request and its answer, a failure that says whether the request may have arrived. */
    ShimText ask(String request, Deadline deadline) throws KernelTrouble {
        Effect effect = Effect.NONE;
        try (Talk talk = talk()) {
            effect = Effect.UNKNOWN;
            return ShimText.reply(talk.ask(("1 " + request).getBytes(StandardCharsets.US_ASCII), deadline));
        } catch (IOException failed) {
            throw new KernelTrouble(
                    "asking the shim in " + directory + " to '" + request + "' failed: " + failed,
                    effect,
                    Retry.SAME_CALL,
                    failed);
        }
    }

    /** Whoever is at the other end may be hostile, and take nothing. */
    private static void write(SocketChannel channel, Selector selector, ByteBuffer buffer, Deadline deadline)
            throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.write(buffer) == 0) {
                await(selector, deadline, "the request was not taken in time");
            }
        }
    }

    private static ByteBuffer read(SocketChannel channel, Selector selector, ByteBuffer buffer, Deadline deadline)
            throws IOException {
        while (buffer.hasRemaining()) {
            int got = channel.read(buffer);
            if (got < 0) {
                throw new IOException("the shim closed the connection");
            }
            if (got == 0) {
                await(selector, deadline, "no answer in time");
            }
        }
        return buffer;
    }

    private static void await(Selector selector, Deadline deadline, String late) throws IOException {
        if (deadline.isExpired()) {
            throw new IOException(late);
        }
        selector.select(Math.max(1, deadline.left().toMillis()));
        selector.selectedKeys().clear();
    }
}
