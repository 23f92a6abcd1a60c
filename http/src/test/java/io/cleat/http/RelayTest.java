package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AnswerMeta;
import io.cleat.api.CleatClient;
import io.cleat.api.Json;
import io.cleat.api.LogStream;
import io.cleat.api.Rows;
import io.cleat.api.ServerAddress;
import io.cleat.base.Ids;
import io.cleat.base.LinkTrouble;
import io.cleat.base.SystemTime;
import io.cleat.http.routes.Routes;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An agent that answers for others, over real sockets. */
@Timeout(60)
class RelayTest {
    @TempDir
    Path directory = Path.of("");

    private final TestBench other = new TestBench();
    private final TestBench own = new TestBench();
    private Optional<HttpServer> server = Optional.empty();
    private ServerAddress there = new ServerAddress.Unix(Path.of("unset"));

    private final AgentLocator locator = new AgentLocator() {
        @Override
        public Optional<ServerAddress> ofNode(String nodeId) {
            return nodeId.equals("other") ? Optional.of(there) : Optional.empty();
        }

        @Override
        public Optional<ServerAddress> ofAllocation(String allocId) {
            return ofNode(allocId);
        }
    };

    private final Dispatcher dispatcher = new Dispatcher(
            Guard.local(),
            Routes.of(own.node, locator),
            request -> Relay.pass(request, there),
            () -> List.of("global"),
            (where, fault) -> own.faults.add(where),
            Ids.random());

    @BeforeEach
    void listen() throws Exception {
        Path socket = directory.resolve("other.sock");
        server = Optional.of(HttpServer.open(
                List.of(new Listener.Unix(socket)), other.dispatcher, HttpServer.Limits.DEFAULT, new SystemTime()));
        there = new ServerAddress.Unix(socket);
    }

    @AfterEach
    void stop() {
        server.ifPresent(HttpServer::close);
    }

    private Encoded get(String target, Map<String, String> headers) throws Exception {
        Request request = Request.of("GET", target, headers, new byte[0], Request.UNIX);
        return Encoded.of(dispatcher.answer(request), request);
    }

    private Encoded get(String target) throws Exception {
        return get(target, Map.of());
    }

    @Test
    void whatIsNotAnsweredHereIsAnsweredThereWithItsHeaders() throws Exception {
        other.answerWith(List.of(), new AnswerMeta(17, 3, true, "more"));
        Encoded answer = get("/v1/volumes?type=csi&prefix=a%20b");
        assertEquals(200, answer.status());
        assertEquals("[]", TestBench.text(answer));
        assertEquals("17", answer.headers().get("x-nomad-index"));
        assertEquals("application/json", answer.headers().get("Content-Type"));
        assertEquals(404, get("/v1/nothing").status());
    }

    /** Small ones whole, large ones as they come; zipped once, by the one who made it. */
    @Test
    void answersOfAnyLengthArePassedOnAsTheyAre() throws Exception {
        for (int rows : List.of(10, 100, 1000, 10_000)) {
            List<String> list =
                    IntStream.range(0, rows).mapToObj(i -> "row number " + i).toList();
            other.answerWith(Rows.of(list), AnswerMeta.ofLeader(7));
            Encoded plain = get("/v1/volumes?type=csi");
            assertArrayEquals(Json.write(list), plain.body());
            Encoded zipped = get("/v1/volumes?type=csi", Map.of("accept-encoding", "gzip"));
            byte[] body = zipped.body();
            if (rows >= 100) {
                assertEquals("gzip", zipped.headers().get("content-encoding"));
                body = new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes();
            }
            assertArrayEquals(Json.write(list), body);
            assertEquals("7", zipped.headers().get("x-nomad-index"));
        }
    }

    /** A stream is passed on as it comes: its end has not come yet when it is read. */
    @Test
    void outputIsPassedOnAsItComes() throws Exception {
        Path socket = directory.resolve("own.sock");
        HttpServer near = HttpServer.open(
                List.of(new Listener.Unix(socket)), dispatcher, HttpServer.Limits.DEFAULT, new SystemTime());
        CleatClient client = new CleatClient(new ServerAddress.Unix(socket), CleatClient.Options.NONE);
        other.node.print("one\n", 4);
        try (near;
                LogStream log = client.allocations().logs("other", "t", "stdout", true, 0, "start")) {
            assertEquals("one\n", text(log));
            other.node.print("two\n", 8);
            assertEquals("two\n", text(log));
            other.node.output.add(new PieceReader.End());
            assertEquals(Optional.empty(), log.next());
        }
        assertNull(own.node.asked);
    }

    /** The agent that an allocation is with knows which namespace it is in. */
    @Test
    void allocationsOfAnotherNamespaceAreNotFoundThroughOtherAgentsEither() throws Exception {
        Encoded refused = get("/v1/client/fs/ls/other?path=/&namespace=team");
        assertEquals(404, refused.status());
        assertEquals("alloc not found", TestBench.text(refused));
    }

    private static String text(LogStream log) throws LinkTrouble {
        return new String(log.next().orElseThrow().bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void eachNodeAnswersForItself() throws Exception {
        assertEquals(404, get("/v1/client/fs/logs/own?task=x&type=stdout").status());
        assertNotNull(own.node.asked);
        assertNull(other.node.asked);
        Encoded there = get("/v1/client/fs/logs/other?task=x&type=stdout");
        assertEquals(404, there.status());
        assertEquals("unknown task name \"x\"", TestBench.text(there).strip());
        assertNotNull(other.node.asked);
    }

    @Test
    void aRequestGoesTwoStepsAndNoFurther() throws Exception {
        get("/v1/client/fs/logs/other?task=x&type=stdout", Map.of("x-cleat-relayed", "1"));
        assertNull(own.node.asked);
        assertNotNull(other.node.asked);
        get("/v1/client/fs/logs/other?task=x&type=stdout", Map.of("x-cleat-relayed", "2"));
        assertNotNull(own.node.asked);
    }

    @Test
    void anAgentThatIsGoneIsNoPathToItsNode() throws Exception {
        server.ifPresent(HttpServer::close);
        Encoded answer = get("/v1/client/stats?node_id=other");
        assertEquals(404, answer.status());
        assertTrue(TestBench.text(answer).startsWith("No path to node"), TestBench.text(answer));
        assertEquals(500, get("/v1/volumes").status());
    }
}
