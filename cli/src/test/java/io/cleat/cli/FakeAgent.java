package io.cleat.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cleat.api.Json;
import io.cleat.base.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/**
 * An agent's HTTP interface that gives prepared answers, and keeps what it was asked. A request is named as
 * {@code METHOD /path?query}, without the default namespace. What is not prepared is 404.
 */
final class FakeAgent implements AutoCloseable {
    private record Prepared(int status, String body, boolean isCut) {}

    private final HttpServer server;
    private final Map<String, Deque<Prepared>> answers = new ConcurrentHashMap<>();
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, String> bodies = new ConcurrentHashMap<>();
    private final Map<String, String> secrets = new ConcurrentHashMap<>();
    private final Map<String, String> nextTokens = new ConcurrentHashMap<>();
    private final Map<String, BooleanSupplier> held = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition asked = lock.newCondition();
    private volatile boolean isClosed;

    /** What becomes of each answer before it is given. */
    volatile UnaryOperator<String> twist = UnaryOperator.identity();

    FakeAgent() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Gives {@code body} to {@code request}; the last of several is given for ever. */
    FakeAgent answers(String request, String body) {
        return answers(request, 200, body);
    }

    /** Gives {@code body} to {@code request} instead of what was prepared before. */
    FakeAgent answersInstead(String request, String body) {
        answers.remove(request);
        return answers(request, body);
    }

    FakeAgent answers(String request, int status, String body) {
        answers.computeIfAbsent(request, name -> new ArrayDeque<>()).add(new Prepared(status, body, false));
        return this;
    }

    /** Gives no answer to {@code request} before {@code until}. */
    void holds(String request, BooleanSupplier until) {
        held.put(request, until);
    }

    /** Gives one page, which another follows. */
    FakeAgent answersPage(String request, String body, String nextToken) {
        nextTokens.put(request, nextToken);
        return answers(request, body);
    }

    /** Gives the beginning of an answer, and then the connection breaks. */
    FakeAgent answersTorn(String request, String body) {
        answers.computeIfAbsent(request, name -> new ArrayDeque<>()).add(new Prepared(200, body, true));
        return this;
    }

    /** Gives what Nomad answered, with its status. */
    FakeAgent recorded(String request, String name) {
        JsonNode recording = recording(name);
        JsonNode body = recording.get("body");
        boolean isText = recording.get("status").asInt() != 200;
        return answers(request, recording.get("status").asInt(), isText ? body.asString() : Json.text(body));
    }

    /** The recorded body, to be changed before it is given. */
    static JsonNode recording(String name) {
        try (InputStream in = FakeAgent.class.getResourceAsStream("/recorded/" + name + ".json")) {
            if (in == null) {
                throw new AssertionError("there is no recording " + name);
            }
            return Json.tree(in.readAllBytes());
        } catch (IOException | Refused unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    /** What was asked, in order. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    /** The body of the last such request. */
    String bodyOf(String request) {
        return bodies.getOrDefault(request, "");
    }

    /** The secrets header of the last such request. */
    String secretsOf(String request) {
        return secrets.getOrDefault(request, "<absent>");
    }

    /** Looked at whenever something is asked. */
    private void await(BooleanSupplier until) {
        lock.lock();
        try {
            asked.signalAll();
            while (!isClosed && !until.getAsBoolean()) {
                asked.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Asked beside what is asked of plugins' volumes: there are none unless a test prepares some. */
    private boolean isOfHosts(String request) {
        return request.startsWith("GET /v1/volumes?") && request.contains("type=host") && !answers.containsKey(request);
    }

    private void answer(HttpExchange exchange) {
        try (exchange) {
            String request = exchange.getRequestMethod() + " " + shortened(exchange);
            boolean isOfHosts = isOfHosts(request);
            if (!isOfHosts) {
                requests.add(request);
            }
            bodies.put(request, new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            String secret = exchange.getRequestHeaders().getFirst("X-Nomad-CSI-Secrets");
            if (secret != null) {
                secrets.put(request, secret);
            }
            await(held.getOrDefault(request, () -> true));
            Deque<Prepared> prepared = answers.get(request);
            Prepared answer = prepared == null
                    ? isOfHosts
                            ? new Prepared(200, "[]", false)
                            : new Prepared(404, "no answer prepared for " + request, false)
                    : prepared.size() > 1 ? prepared.removeFirst() : prepared.getFirst();
            exchange.getResponseHeaders().set("X-Nomad-Index", "7");
            exchange.getResponseHeaders().set("X-Nomad-KnownLeader", "true");
            exchange.getResponseHeaders().set("X-Nomad-LastContact", "0");
            String nextToken = nextTokens.get(request);
            if (nextToken != null) {
                exchange.getResponseHeaders().set("X-Nomad-NextToken", nextToken);
            }
            byte[] body = twist.apply(answer.body()).getBytes(StandardCharsets.UTF_8);
            int length = body.length + (answer.isCut() ? 1 : 0);
            exchange.sendResponseHeaders(answer.status(), length == 0 ? -1 : length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
                exchange.getResponseBody().flush();
            }
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static String shortened(HttpExchange exchange) {
        String whole = exchange.getRequestURI().toString();
        return whole.replace("namespace=default&", "")
                .replace("?namespace=default", "")
                .replace("&namespace=default", "");
    }

    @Override
    public void close() {
        isClosed = true;
        await(() -> true);
        server.stop(0);
        threads.close();
    }
}
