package io.cleat.artifact;

import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.cleat.base.ArtifactTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.model.TaskArtifact;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real HTTP server, and fetches from it into fresh directories. */
final class Fetches implements AutoCloseable {
    static final FetchLimits LIMITS = new FetchLimits(
            Duration.ofSeconds(20), 1 << 20, 100, 4 << 20, Long.MAX_VALUE, 1000, Duration.ofSeconds(10));

    /** Where these tests' own servers are. */
    static final List<AddressRange> LOOPBACK =
            List.of(AddressRange.parse("127.0.0.1").orElseThrow());

    static final Threads THREADS = Threads.virtual((thread, fault) -> {
        throw new AssertionError(thread, fault);
    });

    private final Path root;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private int count;

    Fetches(Path root) throws IOException {
        this.root = root;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    void serve(String path, HttpHandler handler) {
        server.createContext(path, handler);
    }

    /** Serves a file; its URL. */
    String serve(String path, byte[] content) {
        serve(path, exchange -> answer(exchange, 200, content));
        return url(path);
    }

    static void answer(HttpExchange exchange, int status, byte[] content) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status, content.length == 0 ? -1 : content.length);
            if (content.length > 0) {
                exchange.getResponseBody().write(content);
            }
        }
    }

    static Artifact artifact(String source) {
        return new Artifact(source, Map.of(), Map.of(), TaskArtifact.Mode.ANY, false);
    }

    static Artifact artifact(String source, Map<String, String> options, TaskArtifact.Mode mode) {
        return new Artifact(source, options, Map.of(), mode, false);
    }

    Path fetch(String source) throws Exception {
        return fetch(artifact(source));
    }

    Path fetch(Artifact artifact) throws Exception {
        return fetch(artifact, LIMITS, List.of());
    }

    Path fetch(Artifact artifact, FetchLimits limits, List<Path> readable) throws Exception {
        return fetch(artifact, limits, readable, LOOPBACK);
    }

    Path fetch(Artifact artifact, FetchLimits limits, List<Path> readable, List<AddressRange> allowed)
            throws Exception {
        return new Fetching(limits, readable, allowed, THREADS, new SystemTime()).fetch(artifact, fresh());
    }

    Path fresh() throws IOException {
        return Files.createDirectory(root.resolve("fetch" + count++));
    }

    /** The words of a fetch that fails. */
    String failure(Artifact artifact) {
        return failure(artifact, LIMITS);
    }

    String failure(Artifact artifact, FetchLimits limits) {
        return assertThrows(ArtifactTrouble.class, () -> fetch(artifact, limits, List.of()))
                .reason();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
