package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command finds the token of an agent of this machine by itself. */
class LocalTokenTest {
    private static final String TOKEN = "0123abcd";

    @TempDir
    Path directory;

    private final Session session = new Session();
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private HttpServer agent;

    @BeforeEach
    void begin() throws Exception {
        agent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        agent.createContext("/", exchange -> {
            String token =
                    Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("X-Nomad-Token"), "");
            sent.add(token);
            byte[] body = (token.equals(TOKEN) ? "[]" : "Permission denied").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(token.equals(TOKEN) ? 200 : 403, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        agent.start();
        session.variables.put(
                "CLEAT_ADDR", "http://127.0.0.1:" + agent.getAddress().getPort());
        session.agents = directory.resolve("agents");
    }

    @AfterEach
    void end() {
        agent.stop(0);
    }

    private void leave(String token) throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.writeString(data.resolve("http.token"), token + "\n");
        Files.createDirectory(session.agents);
        Files.createSymbolicLink(
                session.agents.resolve(String.valueOf(agent.getAddress().getPort())), data);
    }

    @Test
    void whatTheAgentLeftIsSent() throws Exception {
        leave(TOKEN);
        assertEquals(0, session.run("node status"), session.err);
        assertEquals(List.of(TOKEN), sent);
    }

    @Test
    void whatIsGivenWins() throws Exception {
        leave("stale");
        session.variables.put("NOMAD_TOKEN", TOKEN);
        assertEquals(0, session.run("node status"), session.err);
        assertEquals(List.of(TOKEN), sent);
    }

    @Test
    void withoutOneItIsSaidWhereToFindIt() {
        assertEquals(1, session.run("node status"));
        assertTrue(session.err.contains("Permission denied"), session.err);
        assertTrue(session.err.contains("CLEAT_TOKEN"), session.err);
        assertTrue(session.err.contains("http.token"), session.err);
    }
}
