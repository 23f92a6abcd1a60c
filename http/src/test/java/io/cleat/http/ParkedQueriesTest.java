package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries that wait for what never comes, beside clients that hang up or come in crowds. */
class ParkedQueriesTest {
    private static final int CONNECTIONS = 16;
    private static final long PATIENCE_SECONDS = 20;

    @TempDir
    Path directory;

    private final BlockingQueue<String> waiting = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
    private final List<SocketChannel> clients = new ArrayList<>();
    private Path socket = Path.of("unset");
    private int port;
    private final List<HttpServer> servers = new ArrayList<>();

    @BeforeEach
    void listen() throws Exception {
        socket = directory.resolve("run/cleat.sock");
        Dispatcher dispatcher = new Dispatcher(
                Guard.local(),
                List.of(
                        Route.get("/v1/test/news/:who", this::news),
                        Route.get("/v1/test/now", request -> Reply.json("now"))),
                () -> List.of("global"),
                (where, fault) -> ended.add("fault in " + where + ": " + fault),
                Ids.random());
        HttpServer.Limits few =
                new HttpServer.Limits(64 * 1024, Duration.ofSeconds(30), Duration.ofSeconds(30), CONNECTIONS);
        HttpServer server = HttpServer.open(
                List.of(new Listener.Tcp(InetAddress.getLoopbackAddress(), 0), new Listener.Unix(socket)),
                dispatcher,
                few,
                new SystemTime());
        servers.add(server);
        port = ((Listener.Tcp) server.listeners().getFirst()).port();
    }

    /** Never comes by itself. */
    private Reply news(Request request) throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Runnable waker = end::countDown;
        request.early().wakes(waker);
        waiting.add(request.variable("who"));
        end.await();
        request.early().forget(waker);
        ended.add(request.variable("who"));
        return Reply.json(request.variable("who"));
    }

    @AfterEach
    void close() throws IOException {
        for (SocketChannel client : clients) {
            client.close();
        }
        servers.forEach(HttpServer::close);
    }

    /** A parked query was noticed to be alone when its five minutes were over. */
    @Test
    void whoHangsUp_isNotWaitedFor() throws Exception {
        SocketChannel tcp = tcp();
        ask(tcp, "/v1/test/news/tcp?index=7");
        assertEquals("tcp", waits());
        tcp.close();
        assertEquals("tcp", ends());
        SocketChannel unix = unix();
        ask(unix, "/v1/test/news/unix?index=7");
        assertEquals("unix", waits());
        unix.close();
        assertEquals("unix", ends());
    }

    @Test
    void whoHangsUpOnItsSecondQuery_isNotWaitedForEither() throws Exception {
        SocketChannel client = tcp();
        ask(client, "/v1/test/now?index=7");
        assertTrue(answer(client, "\"now\"").startsWith("HTTP/1.1 200"));
        ask(client, "/v1/test/news/second?index=7");
        assertEquals("second", waits());
        client.close();
        assertEquals("second", ends());
    }

    @Test
    void whoSaysOnlyThatItHasNoMoreToAsk_isAnswered() throws Exception {
        SocketChannel client = unix();
        ask(client, "/v1/test/news/half?index=7");
        client.shutdownOutput();
        assertTrue(answer(client, "\"half\"").contains("Connection: close"));
    }

    /**
     * A hundred clients that wait, and nobody else was let in: at a Unix socket for good, once all connections had been
     * taken.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoWaitsLongest_makesRoomForOthers(boolean isTcp) throws Exception {
        for (int client = 0; client < CONNECTIONS; client++) {
            ask(isTcp ? tcp() : unix(), "/v1/test/news/" + client + "?index=7");
            assertEquals(Integer.toString(client), waits());
        }
        Eventually.holds(() -> isAnswered(isTcp), "another client is let in");
        // Those who are to make room do so side by side.
        Set<String> oldest = Set.of("0", "1", "2", "3", "4", "5");
        for (String ended = ends(); !ended.equals("0"); ended = ends()) {
            assertTrue(oldest.contains(ended), ended);
        }
        assertTrue(answer(clients.getFirst(), "\"0\"").startsWith("HTTP/1.1 200"));
    }

    /** One client too many may be cut off, until there is room. */
    private boolean isAnswered(boolean isTcp) throws IOException {
        SocketChannel another = isTcp ? tcp() : unix();
        try {
            ask(another, "/v1/test/now");
            return answer(another, "\"now\"").startsWith("HTTP/1.1 200");
        } catch (SocketException cut) {
            return false;
        }
    }

    private SocketChannel tcp() throws IOException {
        SocketChannel client = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        clients.add(client);
        return client;
    }

    private SocketChannel unix() throws IOException {
        SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX);
        client.connect(UnixDomainSocketAddress.of(socket));
        clients.add(client);
        return client;
    }

    private void ask(SocketChannel client, String target) throws IOException {
        String request = "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n";
        client.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String answer(SocketChannel client, String end) throws IOException {
        ByteBuffer some = ByteBuffer.allocate(4096);
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf(end) < 0 && client.read(some.clear()) >= 0) {
            answer.append(StandardCharsets.US_ASCII.decode(some.flip()));
        }
        return answer.toString();
    }

    private String waits() throws InterruptedException {
        return taken(waiting);
    }

    private String ends() throws InterruptedException {
        return taken(ended);
    }

    private static String taken(BlockingQueue<String> from) throws InterruptedException {
        String taken = from.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return taken == null ? "nobody" : taken;
    }
}
