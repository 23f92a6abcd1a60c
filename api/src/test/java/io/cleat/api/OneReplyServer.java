package io.cleat.api;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Answers every connection with the same bytes, and remembers what it was sent. */
final class OneReplyServer implements AutoCloseable {
    private final ServerSocketChannel listener;
    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();

    private OneReplyServer(ServerSocketChannel listener, String reply) {
        this.listener = listener;
        Thread.ofVirtual().name("one-reply").start(() -> serve(reply));
    }

    static OneReplyServer tcp(String reply) throws IOException {
        return on(ServerSocketChannel.open(), new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), reply);
    }

    static OneReplyServer unix(Path path, String reply) throws IOException {
        return on(ServerSocketChannel.open(StandardProtocolFamily.UNIX), UnixDomainSocketAddress.of(path), reply);
    }

    private static OneReplyServer on(ServerSocketChannel listener, SocketAddress address, String reply)
            throws IOException {
        listener.bind(address);
        return new OneReplyServer(listener, reply);
    }

    ServerAddress address() throws IOException {
        SocketAddress address = listener.getLocalAddress();
        return address instanceof UnixDomainSocketAddress unix
                ? new ServerAddress.Unix(unix.getPath())
                : new ServerAddress.Tcp("127.0.0.1", ((InetSocketAddress) address).getPort());
    }

    /** What the next connection sent, up to the end of its header and what came with it. */
    String request() throws InterruptedException {
        String request = requests.poll(10, TimeUnit.SECONDS);
        return request == null ? "" : request;
    }

    private void serve(String reply) {
        while (listener.isOpen()) {
            try (SocketChannel connection = listener.accept()) {
                requests.add(head(connection));
                ByteBuffer bytes = ByteBuffer.wrap(reply.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    connection.write(bytes);
                }
            } catch (IOException closed) {
                // The listener was closed, or a client left: both are the test's doing.
                requests.add("");
            }
        }
    }

    private static String head(SocketChannel connection) throws IOException {
        StringBuilder head = new StringBuilder();
        ByteBuffer buffer = ByteBuffer.allocate(8192);
        while (head.indexOf("\r\n\r\n") < 0 && connection.read(buffer) >= 0) {
            buffer.flip();
            head.append(StandardCharsets.UTF_8.decode(buffer));
            buffer.clear();
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
