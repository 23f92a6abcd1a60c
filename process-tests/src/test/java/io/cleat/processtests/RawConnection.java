package io.cleat.processtests;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A connection to an agent's socket on which any bytes may be sent: no HTTP client would do that. One thread uses it.
 */
final class RawConnection implements AutoCloseable {
    private static final int PIECE = 64 * 1024;
    private static final String END = "\r\n\r\n";

    private final SocketChannel channel;
    private final Selector selector;
    private final ByteBuffer piece = ByteBuffer.allocate(PIECE);
    private final ByteArrayOutputStream unread = new ByteArrayOutputStream();
    private long end;

    /** What came. */
    record Reply(int status, Map<String, String> headers, String body) {
        boolean isLast() {
            return headers.getOrDefault("connection", "").equalsIgnoreCase("close");
        }
    }

    /** Nothing came in time. */
    static final class Late extends IOException {
        private static final long serialVersionUID = 1;

        Late() {
            super("nothing comes");
        }
    }

    RawConnection(Path socket) throws IOException {
        channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        channel.configureBlocking(false);
        selector = Selector.open();
        channel.register(selector, SelectionKey.OP_READ);
    }

    /** From now on so long. */
    void within(Duration limit) {
        end = System.nanoTime() + limit.toNanos();
    }

    /** Sends all of it; what comes meanwhile is kept, else both would wait for each other. */
    void send(byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            if (channel.write(left) == 0) {
                await(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                take();
            }
        }
    }

    void endInput() throws IOException {
        channel.shutdownOutput();
    }

    private void await(int what) throws IOException {
        channel.keyFor(selector).interestOps(what);
        long left = (end - System.nanoTime()) / 1_000_000;
        if (left <= 0 || selector.select(left) == 0) {
            throw new Late();
        }
        selector.selectedKeys().clear();
    }

    /** Whether there was anything. */
    private boolean take() throws IOException {
        piece.clear();
        int size = channel.read(piece);
        if (size < 0) {
            throw new EOFException("the agent closed the connection");
        }
        unread.write(piece.array(), 0, size);
        return size > 0;
    }

    private void more() throws IOException {
        while (!take()) {
            await(SelectionKey.OP_READ);
        }
    }

    /** The next answer's head, without its body. */
    Reply head() throws IOException {
        int at = text().indexOf(END);
        while (at < 0) {
            more();
            at = text().indexOf(END);
        }
        String[] lines = text().substring(0, at).split("\r\n", -1);
        String[] first = lines[0].split(" ", 3);
        if (first.length < 2 || !first[0].startsWith("HTTP/1.") || !first[1].matches("[0-9]{3}")) {
            throw new IOException("an answer begins with '" + lines[0] + "'");
        }
        Map<String, String> headers = new HashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            if (colon < 1) {
                throw new IOException("an answer has the header '" + lines[i] + "'");
            }
            headers.put(
                    lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
                    lines[i].substring(colon + 1).strip());
        }
        skip(at + END.length());
        return new Reply(Integer.parseInt(first[1]), headers, "");
    }

    /**
     * The next answer, whole.
     *
     * @param toHead whether it was asked for by HEAD
     */
    Reply answer(boolean toHead) throws IOException {
        Reply head = head();
        while (head.status() == 100) {
            head = head();
        }
        if (toHead || head.status() == 204 || head.status() == 304) {
            return head;
        }
        String body = head.headers().containsKey("transfer-encoding")
                ? chunks()
                : bytes(Integer.parseInt(head.headers().getOrDefault("content-length", "0")));
        return new Reply(head.status(), head.headers(), body);
    }

    private String chunks() throws IOException {
        StringBuilder all = new StringBuilder();
        while (true) {
            int line = text().indexOf("\r\n");
            while (line < 0) {
                more();
                line = text().indexOf("\r\n");
            }
            int size = Integer.parseInt(text().substring(0, line), 16);
            skip(line + 2);
            all.append(bytes(size));
            bytes(2);
            if (size == 0) {
                return all.toString();
            }
        }
    }

    private String bytes(int size) throws IOException {
        while (unread.size() < size) {
            more();
        }
        String body = new String(unread.toByteArray(), 0, size, UTF_8);
        skip(size);
        return body;
    }

    /** All that still comes, until the agent closes. */
    String rest() throws IOException {
        while (true) {
            try {
                more();
            } catch (EOFException whole) {
                return text();
            }
        }
    }

    private String text() {
        return unread.toString(ISO_8859_1);
    }

    private void skip(int size) {
        byte[] all = unread.toByteArray();
        unread.reset();
        unread.write(all, size, all.length - size);
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
