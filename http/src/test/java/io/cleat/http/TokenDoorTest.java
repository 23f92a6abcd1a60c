package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CleatClient;
import io.cleat.api.Params;
import io.cleat.api.ServerAddress;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.Ids;
import io.cleat.base.Secret;
import io.cleat.base.SystemTime;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that wants a token on its port, through real sockets. */
class TokenDoorTest {
    private static final Secret TOKEN = new Secret("ab".repeat(32));

    @TempDir
    Path directory;

    private final TestBench bench = new TestBench();
    private HttpServer server;
    private int port;

    @BeforeEach
    void listen() throws Exception {
        bench.sample.body = "1.2.3.4:5";
        server = HttpServer.open(
                List.of(
                        new Listener.Tcp(InetAddress.getLoopbackAddress(), 0),
                        new Listener.Unix(directory.resolve("s"))),
                new Dispatcher(
                        Guard.local().wanting(new AccessToken(TOKEN)),
                        bench.routes(),
                        () -> List.of("global"),
                        (where, fault) -> bench.faults.add(where),
                        Ids.random()),
                HttpServer.Limits.DEFAULT,
                new SystemTime());
        port = ((Listener.Tcp) server.listeners().getFirst()).port();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private CleatClient tcp(Secret token) {
        return new CleatClient(new ServerAddress.Tcp("127.0.0.1", port), new CleatClient.Options("", "", token));
    }

    /** What is answered to a request that begins so; it is never ended. */
    private String answerTo(String head) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String text = head + "\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\n";
            socket.getOutputStream().write((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void itsPortWantsTheToken_itsSocketDoesNot() throws Exception {
        assertEquals("1.2.3.4:5", tcp(TOKEN).agent().leader());
        CleatClient unix = new CleatClient(new ServerAddress.Unix(directory.resolve("s")), CleatClient.Options.NONE);
        assertEquals("1.2.3.4:5", unix.agent().leader());
        for (String wrong : List.of("", "ab", "AB".repeat(32), "ab".repeat(33))) {
            UnexpectedAnswer denied = assertThrows(
                    UnexpectedAnswer.class, () -> tcp(new Secret(wrong)).jobs().list(Params.none()));
            assertEquals(403, denied.status());
            assertEquals("Permission denied", denied.body().strip());
        }
    }

    @Test
    void streamsWebSocketsAndWhatIsNoRouteAreDeniedAlike() throws Exception {
        String upgrade = "\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Version: 13"
                + "\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";
        for (String head : List.of(
                "GET /v1/event/stream HTTP/1.1",
                "GET /v1/client/allocation/a/exec?task=t&command=[] HTTP/1.1" + upgrade,
                "GET /v1/client/fs/logs/a?task=t&type=stdout HTTP/1.1",
                "GET /v1/agent/self HTTP/1.1",
                "GET /v1/no/such HTTP/1.1",
                "DELETE /v1/jobs HTTP/1.1",
                "GET / HTTP/1.1")) {
            String answer = answerTo(head);
            assertTrue(answer.startsWith("HTTP/1.1 403 "), head + ": " + answer);
            assertTrue(answer.endsWith("Permission denied"), head + ": " + answer);
        }
    }

    @Test
    void aBodyThatNobodyMaySendIsNotWaitedFor() throws Exception {
        String answer = answerTo("PUT /v1/jobs HTTP/1.1\r\nContent-Length: 1000000");
        assertTrue(answer.startsWith("HTTP/1.1 403 "), answer);
    }
}
