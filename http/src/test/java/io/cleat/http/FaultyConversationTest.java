package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.FaultHandler;
import io.cleat.base.SystemTime;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A fault in what a websocket talks to: the client is told by close code 1011 (RFC 6455 section 7.4.1) and the
 * request's id, the fault is told once as contained, and the server goes on.
 */
@Timeout(60)
final class FaultyConversationTest {
    private static final String CLOSED = "1011 internal error; request id 1a2b3c4d: the agent's log says more of it";

    private final BlockingQueue<String> contained = new LinkedBlockingQueue<>();
    private final List<HttpServer> open = new ArrayList<>();
    private int port;

    private final FaultHandler faults = new FaultHandler() {
        @Override
        public void fault(String where, Throwable fault) {
            contained.add("ends the process: " + where);
        }

        @Override
        public void contained(String where, Throwable fault) {
            contained.add(where + ": " + fault.getMessage());
        }
    };

    @BeforeEach
    void listen() throws Exception {
        Dispatcher dispatcher = new Dispatcher(
                Guard.local(),
                List.of(
                        Route.get("/v1/test/speak", request -> Reply.webSocket(new Faulty(true))),
                        Route.get("/v1/test/hear", request -> Reply.webSocket(new Faulty(false)))),
                () -> List.of("global"),
                faults,
                () -> "1a2b3c4d-5e6f");
        HttpServer server = HttpServer.open(
                List.of(new Listener.Tcp(InetAddress.getLoopbackAddress(), 0)),
                dispatcher,
                HttpServer.Limits.DEFAULT,
                new SystemTime());
        open.add(server);
        port = ((Listener.Tcp) server.listeners().getFirst()).port();
    }

    @AfterEach
    void stop() {
        open.forEach(HttpServer::close);
    }

    /** Meets a fault when it speaks, or else when it hears. */
    private static final class Faulty implements Conversation {
        private final CountDownLatch gone = new CountDownLatch(1);
        private final boolean speaks;

        Faulty(boolean speaks) {
            this.speaks = speaks;
        }

        @Override
        public void speak(Speaker speaker) throws InterruptedException {
            if (speaks) {
                throw new IllegalStateException("planted");
            }
            gone.await();
        }

        @Override
        public void hear(byte[] message) {
            throw new AssertionError("planted");
        }

        @Override
        public void gone() {
            gone.countDown();
        }
    }

    private static final class Closed implements WebSocket.Listener {
        private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            ends.add(status + " " + reason);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            ends.add("cut: " + error);
        }
    }

    private void requireClosed(String path, String told) throws InterruptedException {
        Closed closed = new Closed();
        try (HttpClient client = HttpClient.newHttpClient()) {
            WebSocket socket = client.newWebSocketBuilder()
                    .buildAsync(URI.create("ws://127.0.0.1:" + port + "/v1/test/" + path), closed)
                    .join();
            if (path.equals("hear")) {
                socket.sendText("hello", true).join();
            }
            assertEquals(CLOSED, closed.ends.poll(20, TimeUnit.SECONDS));
        }
        assertEquals(told, Objects.requireNonNull(contained.poll(20, TimeUnit.SECONDS)));
        assertTrue(contained.isEmpty(), contained::toString);
    }

    @Test
    void aFaultInSpeaking_closesWith1011AndTheRequestsId_andTheNextIsServed() throws Exception {
        for (int i = 0; i < 2; i++) {
            requireClosed("speak", "http websocket, speaking, request 1a2b3c4d: planted");
        }
    }

    @Test
    void aFaultInHearing_closesWith1011AndTheRequestsId_andEndsTheSpeaker() throws Exception {
        for (int i = 0; i < 2; i++) {
            requireClosed("hear", "http websocket, hearing, request 1a2b3c4d: planted");
        }
    }
}
