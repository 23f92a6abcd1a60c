package io.cleat.agent.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.model.ServiceProbe;
import io.cleat.model.ServiceWords;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One call of a check to somebody who answers well, badly, or not. */
final class PortCallTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);

    private final Threads threads = Threads.virtual((where, fault) -> {
        throw new AssertionError(fault);
    });
    private final CompletableFuture<String> request = new CompletableFuture<>();
    private ServerSocket server = listening();

    private static ServerSocket listening() {
        try {
            return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @BeforeEach
    void open() {
        server = server.isClosed() ? listening() : server;
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private PortCall call(Duration timeout) {
        return new PortCall(
                new ServiceWords.Place("127.0.0.1", server.getLocalPort()), timeout, threads, new SystemTime());
    }

    private static ServiceProbe.Http get(String path) {
        return new ServiceProbe.Http("", path, false, false, Map.of(), "");
    }

    /**
     * Reads the head of one request, answers it and closes.
     *
     * @param isEndless whether the answer is said again and again
     */
    private void answers(String answer, boolean isEndless) {
        threads.contained(
                "server",
                () -> {
                    try (Socket socket = server.accept()) {
                        InputStream in = socket.getInputStream();
                        StringBuilder head = new StringBuilder();
                        while (!head.toString().contains("\r\n\r\n")) {
                            int c = in.read();
                            if (c < 0) {
                                break;
                            }
                            head.append((char) c);
                        }
                        request.complete(head.toString());
                        do {
                            socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
                        } while (isEndless);
                    } catch (IOException closed) {
                        request.complete("");
                    }
                },
                fault -> request.completeExceptionally(fault));
    }

    @Test
    void somebodyListens_isASuccess_andNobodyAFailure() throws Exception {
        CheckResult there = call(LONG).tcp();
        assertEquals("nomad: tcp ok", there.output());
        assertEquals(CheckStatus.SUCCESS, there.status());
        server.close();
        CheckResult gone = call(LONG).tcp();
        assertEquals(CheckStatus.FAILURE, gone.status());
        assertTrue(gone.output().startsWith("nomad: cannot reach 127.0.0.1, port "), gone.output());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200 OK                  | SUCCESS | 200 | nomad: http ok",
                "302 Found               | SUCCESS | 302 | nomad: http ok",
                "399 x                   | SUCCESS | 399 | nomad: http ok",
                "404 Not Found           | FAILURE | 404 | nomad: answered 404: sorry",
                "429 Too Many Requests   | WARNING | 429 | nomad: answered 429: sorry",
                "503 Service Unavailable | FAILURE | 503 | nomad: answered 503: sorry",
                "2000 OK                 | FAILURE | 0   | is not HTTP/1",
            })
    void theAnswersStatusDecides(String line, CheckStatus status, int code, String words) throws Exception {
        answers("HTTP/1.1 " + line + "\r\nContent-Length: 5\r\n\r\nsorry", false);
        CheckResult result = call(LONG).http(get("/health?deep=1"));
        assertEquals(status, result.status(), result.output());
        assertEquals(code, result.code());
        assertTrue(result.output().contains(words), result.output());
        String asked = request.get(10, TimeUnit.SECONDS);
        assertTrue(asked.startsWith("GET /health?deep=1 HTTP/1.1\r\n"), asked);
        assertTrue(asked.contains("\r\nHost: 127.0.0.1:" + server.getLocalPort() + "\r\n"), asked);
    }

    /** What was sent in chunks was not shown. */
    @Test
    void whatIsSentInChunks_isShown() throws Exception {
        answers("HTTP/1.1 500 x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nsorry\r\n0\r\n\r\n", false);
        assertEquals("nomad: answered 500: sorry", call(LONG).http(get("/")).output());
    }

    @Test
    void whatTheJobSays_isSent() throws Exception {
        answers("HTTP/1.0 200 OK\r\n\r\n", false);
        CheckResult result = call(LONG)
                .http(new ServiceProbe.Http(
                        "POST", "/", false, false, Map.of("host", List.of("me"), "X-A", List.of("1", "2")), "body"));
        assertEquals(CheckStatus.SUCCESS, result.status(), result.output());
        String asked = request.get(10, TimeUnit.SECONDS);
        assertTrue(asked.startsWith("POST / HTTP/1.1\r\n"), asked);
        assertTrue(asked.contains("\r\nX-A: 1\r\nX-A: 2\r\n"), asked);
        assertTrue(asked.contains("\r\nContent-Length: 4\r\n"), asked);
        assertTrue(asked.contains("\r\nhost: me\r\n") && !asked.contains("127.0.0.1"), asked);
    }

    @Test
    void whoSaysNothing_orNeverEnds_isLate() throws Exception {
        CheckResult silent = call(SHORT).http(get("/"));
        assertEquals(CheckStatus.FAILURE, silent.status());
        assertTrue(silent.output().contains("no answer from 127.0.0.1"), silent.output());
        answers("HTTP/1.1 100 Continue\r\n\r\n", true);
        assertEquals(CheckStatus.FAILURE, call(SHORT).http(get("/")).status());
    }

    @Test
    void whoSaysTooMuch_isCutOff() throws Exception {
        answers("x", true);
        CheckResult line = call(LONG).http(get("/"));
        assertTrue(line.output().contains("a line of its answer is longer"), line.output());
        server.close();
        open();
        answers("HTTP/1.1 503 x\r\n" + "A: b\r\n".repeat(20_000), false);
        CheckResult head = call(LONG).http(get("/"));
        assertTrue(head.output().contains("longer than 64 KiB"), head.output());
    }

    @Test
    void whoCloses_beforeItsAnswerIsWhole_hasFailed() throws Exception {
        answers("HTTP/1.1 20", false);
        CheckResult result = call(LONG).http(get("/"));
        assertTrue(result.output().contains("closed the connection before"), result.output());
    }

    @Test
    void whatIsNoTls_isAFailure() throws Exception {
        answers("HTTP/1.1 200 OK\r\n\r\n\r\n\r\n", false);
        CheckResult result = call(Duration.ofSeconds(2)).http(new ServiceProbe.Http("", "/", true, true, Map.of(), ""));
        assertEquals(CheckStatus.FAILURE, result.status(), result.output());
    }
}
