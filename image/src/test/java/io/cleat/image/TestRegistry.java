package io.cleat.image;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cleat.base.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.jspecify.annotations.Nullable;

/** A registry on loopback, with one repository, {@code team/app}; it does what a test wants. */
final class TestRegistry implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final Map<String, byte[]> blobs = new ConcurrentHashMap<>();
    private final Map<String, byte[]> manifests = new ConcurrentHashMap<>();
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());

    /** What is done, once each, before blobs are served as they should be. */
    private final Deque<Trick> tricks = new ArrayDeque<>();

    private @Nullable String wanted;

    /** In the place of an answer. */
    interface Trick {
        void answer(HttpExchange exchange, byte[] body) throws IOException;
    }

    TestRegistry() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(pool);
        server.start();
    }

    String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** What was asked for: method, path, and range if there was one. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    /** The next answer to a blob. */
    void next(Trick trick) {
        tricks.add(trick);
    }

    /** From now on it wants a token, given to that user and password; empty: to everybody. */
    void wantToken(String login) {
        wanted = login;
    }

    static Digest digest(byte[] bytes) {
        MessageDigest digest = Sha256.begin();
        digest.update(bytes);
        return Digest.of(digest);
    }

    Digest blob(byte[] bytes) {
        Digest digest = digest(bytes);
        blobs.put(digest.toString(), bytes);
        return digest;
    }

    Digest manifest(String json, String... names) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        Digest digest = digest(bytes);
        manifests.put(digest.toString(), bytes);
        for (String name : names) {
            manifests.put(name, bytes);
        }
        return digest;
    }

    /** A layer with one file. */
    static byte[] layer(String content) throws IOException {
        ByteArrayOutputStream layer = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(layer)) {
            TarArchiveEntry entry = new TarArchiveEntry("file");
            byte[] body = content.getBytes(StandardCharsets.UTF_8);
            entry.setSize(body.length);
            tar.putArchiveEntry(entry);
            tar.write(body);
            tar.closeArchiveEntry();
        }
        return layer.toByteArray();
    }

    /** The configuration of an image whose command is a word. */
    static String config(String word, Digest layer) {
        return "{\"os\":\"linux\",\"config\":{\"Cmd\":[\"%s\"]},\"rootfs\":{\"diff_ids\":[\"%s\"]}}"
                .formatted(word, layer);
    }

    /** An image of one layer with one file, as {@code name}, in an index of two platforms. */
    Digest image(String name, String content) throws IOException {
        Digest layerId = blob(layer(content));
        Digest config = blob(config(name, layerId).getBytes(StandardCharsets.UTF_8));
        Digest manifest =
                manifest("{\"config\":{\"digest\":\"" + config + "\"},\"layers\":[{\"digest\":\"" + layerId + "\"}]}");
        return manifest(
                "{\"manifests\":[{\"digest\":\"sha256:"
                        + "0".repeat(64)
                        + "\",\"platform\":{\"os\":\"linux\",\"architecture\":\"other\"}},{\"digest\":\""
                        + manifest
                        + "\",\"platform\":{\"os\":\"linux\",\"architecture\":\""
                        + ImageFacts.architecture()
                        + "\"}}]}",
                name);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().toString();
            String range = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Range"))
                    .orElse("");
            asked.add((path + " " + range).strip());
            if (path.startsWith("/token")) {
                token(exchange);
                return;
            }
            boolean mayIn = wanted == null
                    || "Bearer let-me-in".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            if (!mayIn) {
                exchange.getResponseHeaders()
                        .add("WWW-Authenticate", "Bearer realm=\"http://" + host() + "/token\",service=\"s s\"");
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            boolean isManifest = path.startsWith("/v2/team/app/manifests/");
            String name = path.substring(path.lastIndexOf('/') + 1);
            byte[] found = (isManifest ? manifests : blobs).get(name);
            if (found == null || !path.startsWith("/v2/team/app/")) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            Trick trick = isManifest ? null : tricks.poll();
            if (trick != null) {
                trick.answer(exchange, found);
            } else {
                serve(exchange, found, range);
            }
        }
    }

    /** As it should be. */
    static void whole(HttpExchange exchange, byte[] body) throws IOException {
        serve(exchange, body, "");
    }

    private static void serve(HttpExchange exchange, byte[] found, String range) throws IOException {
        int from = range.isEmpty() ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
        exchange.sendResponseHeaders(from > 0 ? 206 : 200, found.length - from);
        exchange.getResponseBody().write(found, from, found.length - from);
    }

    private void token(HttpExchange exchange) throws IOException {
        String login = "Basic "
                + Base64.getEncoder().encodeToString(String.valueOf(wanted).getBytes(StandardCharsets.UTF_8));
        boolean isLet =
                "".equals(wanted) || login.equals(exchange.getRequestHeaders().getFirst("Authorization"));
        byte[] answer = "{\"token\":\"let-me-in\"}".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(isLet ? 200 : 401, isLet ? answer.length : -1);
        if (isLet) {
            exchange.getResponseBody().write(answer);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        pool.shutdownNow();
    }
}
