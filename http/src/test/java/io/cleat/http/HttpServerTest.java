package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AnswerMeta;
import io.cleat.api.CleatClient;
import io.cleat.api.CsiVolume;
import io.cleat.api.JobParseRequest;
import io.cleat.api.Json;
import io.cleat.api.LogFrame;
import io.cleat.api.LogStream;
import io.cleat.api.Params;
import io.cleat.api.ServerAddress;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Retry;
import io.cleat.base.SystemTime;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The routes through real sockets. */
class HttpServerTest {
    private static final HttpServer.Limits SHORT =
            new HttpServer.Limits(64 * 1024, Duration.ofSeconds(2), Duration.ofSeconds(5), 100);

    @TempDir
    Path directory;

    private final TestBench bench = new TestBench();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<HttpServer> servers = new ArrayList<>();
    private Path socket = Path.of("unset");
    private int port;

    @BeforeEach
    void listen() throws LinkTrouble {
        socket = directory.resolve("run/cleat.sock");
        HttpServer server = HttpServer.open(
                List.of(new Listener.Tcp(InetAddress.getLoopbackAddress(), 0), new Listener.Unix(socket)),
                dispatcher(),
                SHORT,
                new SystemTime());
        servers.add(server);
        port = ((Listener.Tcp) server.listeners().getFirst()).port();
    }

    @AfterEach
    void stop() {
        release.countDown();
        servers.forEach(HttpServer::close);
    }

    /** The routes, and one more that blocks until the test lets it go. */
    private Dispatcher dispatcher() {
        List<Route> routes = new ArrayList<>(bench.routes());
        routes.add(Route.get("/v1/test/blocked", request -> {
            asked.countDown();
            release.await();
            return Reply.json("released");
        }));
        routes.add(Route.get("/v1/test/deep", request -> {
            throw new StackOverflowError("too deep");
        }));
        routes.add(Route.get(
                "/v1/test/unreadable",
                request -> Reply.stream("text/plain", out -> {
                    throw new FileSystemException("/var/lib/host/path", null, "Not a directory");
                })));
        routes.add(Route.get(
                "/v1/test/troubled",
                request -> Reply.stream("text/plain", out -> {
                    throw new DiskTrouble("the log is gone", Effect.NONE, Retry.SAME_CALL);
                })));
        routes.add(Route.get(
                "/v1/test/cut",
                request -> Reply.stream("text/plain", out -> {
                    out.write('x');
                    out.flush();
                    throw new IllegalStateException("in the middle");
                })));
        FaultHandler faults = (where, fault) -> bench.faults.add(where);
        return new Dispatcher(Guard.local(), routes, () -> List.of("global"), faults, Ids.random());
    }

    @Test
    void aStreamWhoseFileCannotBeReadIsAnsweredWithoutAPageClassOrPath() throws Exception {
        String answer = once("/v1/test/unreadable");
        assertTrue(answer.startsWith("HTTP/1.1 500"), answer);
        assertTrue(answer.contains("internal error; request id "), answer);
        for (String said : List.of("<html", "Exception", "/var/lib", "io.cleat", "text/html")) {
            assertFalse(answer.contains(said), answer);
        }
        assertEquals(1, bench.faults.size(), "the log says more");
    }

    @Test
    void aStreamThatMeetsTroubleBeforeItBeginsSaysIt() throws Exception {
        String answer = once("/v1/test/troubled");
        assertTrue(answer.startsWith("HTTP/1.1 500"), answer);
        assertTrue(answer.endsWith("the log is gone"), answer);
    }

    @Test
    void aFaultOfARouteIsAnsweredWithTheRequestsIdAndTheServerGoesOn() throws Exception {
        String answer = once("/v1/test/deep");
        assertTrue(answer.startsWith("HTTP/1.1 500"), answer);
        assertTrue(answer.contains("X-Request-Id: "), answer);
        assertTrue(answer.contains("internal error; request id "), answer);
        assertFalse(answer.contains("io.cleat"), "a stack is nobody's but the log's");
        assertEquals(1, bench.faults.size());
        assertTrue(bench.faults.getFirst().startsWith("http GET /v1/test/deep, request "));
        assertTrue(once("/v1/regions").startsWith("HTTP/1.1 "));
    }

    @Test
    void aFaultInTheMiddleOfAStreamCutsItAndIsTold() throws Exception {
        String answer = once("/v1/test/cut");
        assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
        assertFalse(answer.endsWith("0\r\n\r\n"), "it does not look whole");
        assertEquals(1, bench.faults.size());
        assertTrue(bench.faults.getFirst().contains("cut in its answer"), bench.faults.getFirst());
    }

    /** One request on a connection of its own. */
    private String once(String path) throws IOException {
        return raw("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\n\r\n");
    }

    private CleatClient tcp() {
        return new CleatClient(new ServerAddress.Tcp("127.0.0.1", port), CleatClient.Options.NONE);
    }

    /** Sends {@code request} as it is and reads all that comes back until the server closes. */
    private String raw(String request) throws IOException {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            connection.setSoTimeout(10_000);
            connection.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String get(String target, String... headers) throws IOException {
        return raw("GET "
                + target
                + " HTTP/1.1\r\nHost: 127.0.0.1:"
                + port
                + "\r\nConnection: close\r\n"
                + String.join("", headers)
                + "\r\n");
    }

    @Test
    void aClientIsAnsweredOverBothSockets() throws Exception {
        bench.answerWith(Json.read("{\"ID\":\"v\"}", CsiVolume.class), AnswerMeta.ofLeader(4));
        assertEquals("v", tcp().volumes().get("v", Params.none()).body().ID());
        CleatClient unix = new CleatClient(new ServerAddress.Unix(socket), CleatClient.Options.NONE);
        assertEquals(
                AnswerMeta.ofLeader(4), unix.volumes().get("v", Params.none()).meta());
    }

    @Test
    void theUnixSocketIsOurs() throws IOException {
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
        assertEquals(
                "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("run"))));
    }

    @Test
    void closingRemovesTheSocketAndMayBeRepeated() {
        servers.getFirst().close();
        servers.getFirst().close();
        assertFalse(Files.exists(socket));
    }

    @Test
    void aSocketThatIsListenedOnIsNotTaken() {
        LinkTrouble trouble = assertThrows(
                LinkTrouble.class,
                () -> HttpServer.open(List.of(new Listener.Unix(socket)), bench.dispatcher, SHORT, new SystemTime()));
        assertTrue(trouble.reason().contains("another agent listens on"), trouble.reason());
        assertTrue(Files.exists(socket));
    }

    @Test
    void aSocketLeftBehindIsReplaced() throws Exception {
        Path left = directory.resolve("left/s");
        Files.createDirectories(left.getParent());
        Files.createFile(left);
        HttpServer server =
                HttpServer.open(List.of(new Listener.Unix(left)), bench.dispatcher, SHORT, new SystemTime());
        servers.add(server);
        bench.sample.body = "1.2.3.4:5";
        CleatClient client = new CleatClient(new ServerAddress.Unix(left), CleatClient.Options.NONE);
        assertEquals("1.2.3.4:5", client.agent().leader());
    }

    @Test
    void aPortThatIsTakenIsTroubleThatNamesIt() {
        LinkTrouble trouble = assertThrows(
                LinkTrouble.class,
                () -> HttpServer.open(
                        List.of(new Listener.Tcp(InetAddress.getLoopbackAddress(), port)),
                        bench.dispatcher,
                        SHORT,
                        new SystemTime()));
        assertTrue(
                trouble.reason().matches("cannot listen on 127\\.0\\.0\\.1:" + port + ": .*in use.*"),
                trouble.reason());
    }

    @Test
    void aSocketPathThatIsTooLongIsRefused() {
        Path longPath = directory.resolve("x".repeat(100));
        LinkTrouble trouble = assertThrows(
                LinkTrouble.class,
                () -> HttpServer.open(List.of(new Listener.Unix(longPath)), bench.dispatcher, SHORT, new SystemTime()));
        assertTrue(trouble.reason().contains("at most 107"), trouble.reason());
    }

    @Test
    void bracketsMayComeRaw() throws Exception {
        bench.answerWith(Json.read("{\"ID\":\"v\"}", CsiVolume.class), AnswerMeta.ofLeader(4));
        String answer = get("/v1/volume/csi/vol[0]");
        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        assertEquals("vol[0]", bench.sample.asked.get(2));
        get("/v1/volume/csi/a%2Fb%5B1%5D");
        assertEquals("a/b[1]", bench.sample.asked.get(2));
    }

    @Test
    void aForeignHostIsRefused() throws IOException {
        String answer = raw("GET /v1/regions HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
        assertTrue(answer.startsWith("HTTP/1.1 403 "), answer);
        assertTrue(answer.contains("is not this agent"), answer);
        assertTrue(get("/v1/regions", "Origin: http://evil\r\n").startsWith("HTTP/1.1 403 "));
    }

    @Test
    void headersAreOursAlone() throws IOException {
        String answer = get("/v1/regions");
        assertTrue(answer.endsWith("\r\n\r\n[\"global\"]"), answer);
        assertTrue(answer.contains("\r\nContent-Type: application/json\r\n"), answer);
        assertTrue(answer.contains("\r\nVary: Accept-Encoding\r\n"), answer);
        assertTrue(answer.contains("\r\nContent-Length: 10\r\n"), answer);
        assertFalse(answer.contains("\r\nServer:"), answer);
    }

    @Test
    void anEmptyAnswerSaysItsLengthAndNoType() throws IOException {
        String answer = raw("PUT /v1/system/gc HTTP/1.1\r\nHost: 127.0.0.1:"
                + port
                + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        assertTrue(answer.contains("\r\nContent-Length: 0\r\n"), answer);
        assertFalse(answer.contains("Content-Type"), answer);
    }

    @Test
    void aLargeAnswerIsZippedForWhoAsks() throws Exception {
        bench.sample.body =
                IntStream.range(0, 1000).mapToObj(i -> "10.0.0.1:" + i).toList();
        String answer = get("/v1/status/peers", "Accept-Encoding: gzip\r\n");
        assertTrue(answer.contains("\r\nContent-Encoding: gzip\r\n"), answer);
        assertEquals(1000, tcp().agent().peers().size());
    }

    @Test
    void aBlockingQueryMayTakeLongerThanAClientMayIdle() throws Exception {
        Thread letGo = Thread.ofVirtual().start(() -> {
            try {
                asked.await();
                // Longer than the idle limit, without sleeping.
                new CountDownLatch(1).await(SHORT.idle().toMillis() + 600, TimeUnit.MILLISECONDS);
                release.countDown();
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
        assertTrue(get("/v1/test/blocked").endsWith("\"released\""));
        letGo.join();
    }

    @Test
    void closingCutsWhatIsStillWaiting() throws Exception {
        CountDownLatch cut = new CountDownLatch(1);
        Thread client = Thread.ofVirtual().start(() -> {
            try {
                get("/v1/test/blocked");
            } catch (IOException expected) {
                assertFalse(String.valueOf(expected).isEmpty());
            }
            cut.countDown();
        });
        asked.await();
        long begin = System.nanoTime();
        servers.getFirst().close();
        assertTrue(cut.await(10, TimeUnit.SECONDS));
        assertTrue(System.nanoTime() - begin < Duration.ofSeconds(5).toNanos());
        client.join();
    }

    @Test
    void aSilentClientIsDropped() throws IOException {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            connection.setSoTimeout(10_000);
            connection.getOutputStream().write("GET /v1/reg".getBytes(StandardCharsets.UTF_8));
            // Whatever it is told, the connection ends.
            connection.getInputStream().readAllBytes();
        }
    }

    @Test
    void aBodyThatDripsIsGivenUp() throws IOException {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            connection.setSoTimeout(100);
            OutputStream out = connection.getOutputStream();
            out.write(("PUT /v1/jobs HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nContent-Length: 1000\r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8));
            InputStream in = connection.getInputStream();
            int first = -2;
            for (int i = 0; i < 100 && first == -2; i++) {
                out.write(' ');
                try {
                    first = in.read();
                } catch (SocketTimeoutException notYet) {
                    first = -2;
                }
            }
            assertEquals('H', first);
        }
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() {
        String large = "x".repeat(70_000);
        UnexpectedAnswer answer = assertThrows(
                UnexpectedAnswer.class, () -> tcp().jobs().parse(new JobParseRequest(false, large, ""), Params.none()));
        assertEquals(400, answer.status());
        assertTrue(answer.body().contains("larger than 65536 bytes"), answer.body());
    }

    @Test
    void logFramesComeAsTheyAreWritten() throws Exception {
        bench.node.print("one\n", 4);
        try (LogStream stream = tcp().allocations().logs("a", "t", "stdout", true, 0, "start")) {
            assertEquals("one\n", text(stream.next().orElseThrow()));
            bench.node.print("two\n", 8);
            LogFrame second = stream.next().orElseThrow();
            assertEquals("two\n", text(second));
            assertEquals("alloc/logs/t.stdout.0", second.File());
            assertEquals(8, second.Offset());
            bench.node.output.add(new PieceReader.End());
            assertTrue(stream.next().isEmpty());
        }
        assertTrue(bench.node.closed.await(10, TimeUnit.SECONDS));
        assertEquals(new LogQuery("a", "t", LogQuery.Stream.STDOUT, 0, false, true), bench.node.asked);
    }

    @Test
    void aReaderThatLeavesIsNoticedAtAHeartbeat() throws Exception {
        bench.node.print("one\n", 4);
        try (LogStream stream = tcp().allocations().logs("a", "t", "stdout", true, 0, "start")) {
            assertEquals("one\n", text(stream.next().orElseThrow()));
        }
        assertTrue(bench.node.closed.await(10, TimeUnit.SECONDS));
    }

    @Test
    void aReaderThatNeverReadsIsCut() throws Exception {
        String piece = "x".repeat(60_000);
        for (int i = 0; i < 400; i++) {
            bench.node.print(piece, i);
        }
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            connection
                    .getOutputStream()
                    .write(("GET /v1/client/fs/logs/a?task=t&type=stdout&follow=true HTTP/1.1\r\n"
                                    + "Host: 127.0.0.1:"
                                    + port
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            assertTrue(bench.node.closed.await(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void filesAreFramedWithWhatHappenedToThem() throws Exception {
        bench.node.output.add(new PieceReader.Piece(new byte[100_000], "/alloc/data/f", 100_007));
        bench.node.output.add(new PieceReader.Changed("/alloc/data/f", PieceReader.Changed.TRUNCATED));
        bench.node.output.add(new PieceReader.End());
        String answer = get("/v1/client/fs/stream/a?path=/alloc/data/f&offset=7");
        assertTrue(answer.contains("\r\nContent-Type: application/json\r\n"), answer);
        assertTrue(answer.contains("\"File\":\"/alloc/data/f\",\"Offset\":65543}"), answer);
        assertTrue(answer.contains("\"File\":\"/alloc/data/f\",\"Offset\":100007}"), answer);
        assertTrue(answer.contains("{\"File\":\"/alloc/data/f\",\"FileEvent\":\"file truncated\"}"), answer);
        assertEquals(new FileQuery("a", "/alloc/data/f", 7, false, Long.MAX_VALUE, true), bench.node.askedFile);
    }

    @Test
    void filesAreReadAsTheyAreAndNoBrowserTrustsThem() throws Exception {
        for (String target : List.of("cat/a?path=f", "readat/a?path=f&offset=3&limit=5")) {
            bench.node.print("one\n", 4);
            bench.node.output.add(new PieceReader.End());
            String answer = get("/v1/client/fs/" + target);
            assertTrue(answer.contains("\r\nContent-Type: text/plain\r\n"), answer);
            assertTrue(answer.contains("\r\nX-Content-Type-Options: nosniff\r\n"), answer);
            assertTrue(answer.contains("one\n"), answer);
        }
        assertEquals(new FileQuery("a", "f", 3, false, 5, false), bench.node.askedFile);
        for (String rest : List.of("-1", "0")) {
            bench.node.output.add(new PieceReader.End());
            get("/v1/client/fs/readat/a?path=f&offset=3&limit=" + rest);
            assertEquals(new FileQuery("a", "f", 3, false, Long.MAX_VALUE, false), bench.node.askedFile);
        }
        assertTrue(get("/v1/client/fs/readat/a?path=f").contains(" 400 "));
        assertTrue(get("/v1/client/fs/cat/a").contains("must provide a file path"));
    }

    @Test
    void plainLogsAreText() throws Exception {
        bench.node.print("one\n", 4);
        bench.node.output.add(new PieceReader.End());
        String answer = get("/v1/client/fs/logs/a?task=t&type=stdout&plain=true");
        assertTrue(answer.contains("\r\nContent-Type: text/plain\r\n"), answer);
        assertTrue(answer.contains("one\n"), answer);
    }

    private static String text(LogFrame frame) {
        return new String(frame.bytes(), StandardCharsets.UTF_8);
    }
}
