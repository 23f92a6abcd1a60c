package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CleatClient;
import io.cleat.api.ExecInput;
import io.cleat.api.ExecOutput;
import io.cleat.api.ExecStream;
import io.cleat.api.Json;
import io.cleat.api.LogStream;
import io.cleat.api.ServerAddress;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.Ids;
import io.cleat.base.LinkTrouble;
import io.cleat.base.SystemTime;
import io.cleat.http.routes.Routes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A command's frames over real sockets: straight, and through one or two other agents. */
@Timeout(60)
class ExecTest {
    @TempDir
    Path directory = Path.of("");

    private final TestBench bench = new TestBench();
    private final List<HttpServer> servers = new ArrayList<>();
    private final List<CleatClient> ways = new ArrayList<>();
    private int port;

    private HttpServer open(List<Listener> listeners, Dispatcher dispatcher) throws Exception {
        HttpServer server = HttpServer.open(listeners, dispatcher, HttpServer.Limits.DEFAULT, new SystemTime());
        servers.add(server);
        return server;
    }

    @BeforeEach
    void listen() throws Exception {
        Path own = directory.resolve("own.sock");
        HttpServer server = open(
                List.of(new Listener.Tcp(InetAddress.getLoopbackAddress(), 0), new Listener.Unix(own)),
                bench.dispatcher);
        port = ((Listener.Tcp) server.listeners().getFirst()).port();
        ways.add(client(new ServerAddress.Tcp("127.0.0.1", port)));
        ServerAddress there = new ServerAddress.Unix(own);
        for (String name : List.of("middle.sock", "far.sock")) {
            Path socket = directory.resolve(name);
            open(List.of(new Listener.Unix(socket)), relay(there));
            there = new ServerAddress.Unix(socket);
            ways.add(client(there));
        }
    }

    private static CleatClient client(ServerAddress address) {
        return new CleatClient(address, CleatClient.Options.NONE);
    }

    private Dispatcher relay(ServerAddress there) {
        AgentLocator elsewhere = new AgentLocator() {
            @Override
            public Optional<ServerAddress> ofNode(String nodeId) {
                return Optional.of(there);
            }

            @Override
            public Optional<ServerAddress> ofAllocation(String allocId) {
                return Optional.of(there);
            }
        };
        return new Dispatcher(
                Guard.local(),
                Routes.of(bench.node, elsewhere),
                () -> List.of("global"),
                (where, fault) -> bench.faults.add(where),
                Ids.random());
    }

    @AfterEach
    void stop() {
        servers.reversed().forEach(HttpServer::close);
        assertEquals(List.of(), bench.faults);
    }

    private ExecStream exec(int way) throws Exception {
        return ways.get(way).allocations().exec("a", "t", true, List.of("sh", "-c", "echo 'a b'"));
    }

    private void comes(ExecOutput output) {
        bench.node.frames.add(Json.write(output));
    }

    private String sent() throws InterruptedException {
        String next = bench.node.sent.poll(20, TimeUnit.SECONDS);
        assertNotNull(next);
        return next;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void framesGoBothWaysAsTheyAreUpToTheEnd(int way) throws Exception {
        try (ExecStream exec = exec(way)) {
            assertEquals(new ExecQuery("a", "t", List.of("sh", "-c", "echo 'a b'"), true), bench.node.askedCommand);
            exec.send(ExecInput.size(24, 80));
            exec.send(ExecInput.HEARTBEAT);
            exec.send(ExecInput.of("one".getBytes(StandardCharsets.UTF_8)));
            exec.send(ExecInput.end());
            assertEquals("{\"tty_size\":{\"height\":24,\"width\":80}}", sent());
            assertEquals("{}", sent());
            assertEquals("{\"stdin\":{\"data\":\"b25l\"}}", sent());
            assertEquals("{\"stdin\":{\"close\":true}}", sent());
            byte[] large = new byte[100_000];
            new Random(3).nextBytes(large);
            comes(ExecOutput.out(large));
            comes(ExecOutput.error("oh".getBytes(StandardCharsets.UTF_8)));
            comes(ExecOutput.exited(0));
            bench.node.frames.add(new byte[0]);
            assertEquals(ExecOutput.out(large), exec.next().orElseThrow());
            assertEquals(
                    ExecOutput.error("oh".getBytes(StandardCharsets.UTF_8)),
                    exec.next().orElseThrow());
            ExecOutput end = exec.next().orElseThrow();
            assertEquals("{\"exited\":true,\"result\":{\"exit_code\":0}}", Json.text(end));
            assertEquals(Optional.empty(), exec.next());
        }
        assertTrue(bench.node.closed.await(20, TimeUnit.SECONDS));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void whatIsRefusedHasItsStatus(int way) {
        UnexpectedAnswer answer = assertThrows(
                UnexpectedAnswer.class, () -> ways.get(way).allocations().exec("a", "x", false, List.of("true")));
        assertEquals(404, answer.status());
        assertEquals("unknown task name \"x\"", answer.body());
        UnexpectedAnswer empty = assertThrows(
                UnexpectedAnswer.class, () -> ways.get(way).allocations().exec("a", "t", false, List.of()));
        assertEquals(400, empty.status());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aClientThatLeavesEndsTheCommand(int way) throws Exception {
        try (ExecStream exec = exec(way)) {
            exec.send(ExecInput.HEARTBEAT);
            sent();
        }
        assertTrue(bench.node.closed.await(20, TimeUnit.SECONDS));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void anAgentThatStopsIsNoticed(int way) throws Exception {
        try (ExecStream exec = exec(way)) {
            exec.send(ExecInput.HEARTBEAT);
            sent();
            servers.getFirst().close();
            assertThrows(LinkTrouble.class, exec::next);
        }
        assertTrue(bench.node.closed.await(20, TimeUnit.SECONDS));
    }

    /** It once looked like the output's end, through another agent. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void outputThatIsCutIsNotTakenForItsEnd(int way) throws Exception {
        bench.node.print("one\n", 4);
        try (LogStream stream = ways.get(way).allocations().logs("a", "t", "stdout", true, 0, "start")) {
            assertTrue(stream.next().isPresent());
            servers.getFirst().close();
            assertThrows(LinkTrouble.class, stream::next);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Upgrade: websocket\r\nConnection: Upgrade\r\n"})
    void whoAsksForNoWebsocketIsToldSo(String fields) throws Exception {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            connection
                    .getOutputStream()
                    .write(("GET /v1/client/allocation/a/exec?task=t&command=%5B%22a%22%5D HTTP/1.1\r\n"
                                    + "Host: 127.0.0.1:"
                                    + port
                                    + "\r\n"
                                    + fields
                                    + "\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            byte[] head = new byte[12];
            read(connection, head);
            assertEquals("HTTP/1.1 400", new String(head, StandardCharsets.UTF_8));
        }
        if (!fields.isEmpty()) {
            assertTrue(bench.node.closed.await(20, TimeUnit.SECONDS));
        }
    }

    private static void read(Socket connection, byte[] into) throws IOException {
        assertEquals(into.length, connection.getInputStream().readNBytes(into, 0, into.length));
    }
}
