package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** What listens where a shim would, and says whatever it is told to: each connection the same. */
final class FakeShim implements AutoCloseable {
    private final ServerSocketChannel listener;
    private final Thread thread;

    /** What is done with a connection. */
    interface Script {
        void play(SocketChannel connection) throws Exception;
    }

    private FakeShim(ServerSocketChannel listener, Script script) {
        this.listener = listener;
        this.thread = Thread.ofPlatform().daemon().start(() -> serve(script));
    }

    /** Listens in a shim's directory. */
    static FakeShim in(Path directory, Script script) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(directory.resolve("socket")));
        return new FakeShim(listener, script);
    }

    private void serve(Script script) {
        while (listener.isOpen()) {
            try (SocketChannel connection = listener.accept()) {
                script.play(connection);
            } catch (Exception gone) {
                assertNotNull(gone.toString(), "whoever asked had enough of it");
            }
        }
    }

    /** A frame as requests and their answers have it. */
    static byte[] framed(byte[] body) {
        return ByteBuffer.allocate(4 + body.length)
                .putInt(body.length)
                .put(body)
                .array();
    }

    static byte[] framed(String body) {
        return framed(body.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** A frame of a command. */
    static byte[] frame(char letter, String rest) {
        return framed(letter + rest);
    }

    static void say(SocketChannel connection, byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            connection.write(left);
        }
    }

    /** Takes a request and answers it. */
    static void answer(SocketChannel connection, byte[] answer) throws IOException {
        request(connection);
        say(connection, answer);
    }

    /** Takes one request. */
    static void request(SocketChannel connection) throws IOException {
        ByteBuffer head = fill(connection, 4);
        fill(connection, head.getInt(0));
    }

    /** Takes what comes until the other side is gone. */
    static void untilGone(SocketChannel connection) throws IOException {
        ByteBuffer some = ByteBuffer.allocate(1024);
        while (connection.read(some.clear()) >= 0) {
            // It is dropped.
        }
    }

    private static ByteBuffer fill(SocketChannel connection, int size) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(size);
        while (buffer.hasRemaining()) {
            if (connection.read(buffer) < 0) {
                throw new EOFException();
            }
        }
        return buffer;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        thread.interrupt();
    }
}
