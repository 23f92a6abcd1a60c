package io.cleat.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Listens on a Unix socket as a container engine does, and answers as a test says: also with nothing, with garbage, or
 * with half an answer. What no rule is for is answered with 404.
 */
public final class FakeEngine implements AutoCloseable {
    static final String VERSION = "{\"Version\":\"fake\",\"ApiVersion\":\"1.43\",\"MinAPIVersion\":\"1.24\"}";

    private final Path socket;
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private ServerSocketChannel listening;
    private @Nullable Thread accepting;

    /**
     * What was asked.
     *
     * @param target without the version
     * @param head all lines before the body
     */
    public record Request(String method, String target, String head, String body) {
        @Override
        public String toString() {
            return method + " " + target;
        }
    }

    /** Answers one request by writing to its connection, which is closed after. */
    @FunctionalInterface
    public interface Answer {
        void to(Request request, OutputStream out, InputStream in) throws IOException, InterruptedException;
    }

    private record Rule(String method, Pattern target, Answer answer) {}

    /** An engine that has no image and no container, and says its version. */
    public FakeEngine(Path socket) throws IOException {
        this.socket = socket;
        this.listening = listen();
        on("GET", "/_ping", ping("Fake/1"));
        on("GET", "/version", json(200, VERSION));
        on("GET", "/info", json(200, "{\"OSType\":\"linux\",\"Runtimes\":{\"runc\":{}}}"));
    }

    private ServerSocketChannel listen() throws IOException {
        Files.deleteIfExists(socket);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        accepting = Thread.ofPlatform().daemon().name("fake-engine").start(() -> accept(server));
        return server;
    }

    public Path socket() {
        return socket;
    }

    /** What was asked so far. */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** How often something was asked whose method and target are so. */
    public long count(String beginning) {
        return requests.stream()
                .filter(each -> each.toString().startsWith(beginning))
                .count();
    }

    /**
     * Answers so from now on; of two rules the newer one holds.
     *
     * @param target a regular expression for the target without its version
     */
    public FakeEngine on(String method, String target, Answer answer) {
        rules.addFirst(new Rule(method, Pattern.compile(target), answer));
        return this;
    }

    /** An answer with a body of JSON. */
    public static Answer json(int status, String body) {
        return (request, out, in) -> write(out, status, body.getBytes(UTF_8));
    }

    /** That it is there, as the engine of that name. */
    public static Answer ping(String name) {
        return raw("HTTP/1.1 200 OK\r\nServer: " + name + "\r\nApi-Version: 1.41\r\nContent-Length: 2\r\n\r\nOK");
    }

    /** Bytes that are no answer of HTTP, or half of one. */
    public static Answer raw(String text) {
        return (request, out, in) -> out.write(text.getBytes(UTF_8));
    }

    /** No answer, until the caller goes. */
    public static Answer silence() {
        return (request, out, in) -> {
            while (in.read() >= 0) {
                // What it says meanwhile is not heard.
                continue;
            }
        };
    }

    private static void write(OutputStream out, int status, byte[] body) throws IOException {
        String head = "HTTP/1.1 "
                + status
                + " Fake\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length
                + "\r\n\r\n";
        out.write(head.getBytes(US_ASCII));
        out.write(body);
    }

    /** Is gone, with its connections; {@link #restart} begins again. */
    public void die() throws IOException {
        listening.close();
        try {
            if (accepting != null) {
                accepting.join();
            }
        } catch (InterruptedException end) {
            throw new InterruptedIOException();
        }
        for (SocketChannel each : open) {
            each.close();
        }
    }

    public void restart() throws IOException {
        listening = listen();
    }

    private void accept(ServerSocketChannel server) {
        try {
            while (true) {
                SocketChannel connection = server.accept();
                open.add(connection);
                Thread.ofPlatform().daemon().start(() -> serve(connection));
            }
        } catch (ClosedChannelException end) {
            return;
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private void serve(SocketChannel connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(Channels.newInputStream(connection));
            OutputStream out = Channels.newOutputStream(connection);
            Request request = read(in);
            requests.add(request);
            for (Rule rule : rules) {
                if (rule.method().equals(request.method())
                        && rule.target().matcher(request.target()).lookingAt()) {
                    rule.answer().to(request, out, in);
                    return;
                }
            }
            write(out, 404, "{\"message\":\"no such thing\"}".getBytes(UTF_8));
        } catch (IOException | InterruptedException gone) {
            return;
        } finally {
            open.remove(connection);
        }
    }

    private static Request read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        int length = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            head.append(line).append('\n');
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        line.substring("content-length:".length()).strip());
            }
        }
        String[] first = head.toString().lines().findFirst().orElse("").split(" ", 3);
        if (first.length < 2) {
            throw new IOException("no request: " + head);
        }
        String body = new String(in.readNBytes(length), UTF_8);
        return new Request(first[0], first[1].replaceFirst("^/v1\\.\\d+", ""), head.toString(), body);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            line.append((char) c);
        }
        return line.toString().stripTrailing();
    }

    @Override
    public void close() throws IOException {
        die();
        Files.deleteIfExists(socket);
    }
}
