package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.SystemTime;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames that no client of good faith sends: that session ends with its reason, and nothing else. */
@Timeout(60)
class HostileFramesTest {
    private static final int NOT_TEXT = 1007;
    private static final int PROTOCOL = 1002;
    private static final int TOO_LARGE = 1009;

    private TestBench bench = new TestBench();
    private @Nullable HttpServer server;
    private int port;

    @BeforeEach
    void listen() throws Exception {
        HttpServer opened = HttpServer.open(
                List.of(new Listener.Tcp(InetAddress.getLoopbackAddress(), 0)),
                bench.dispatcher,
                HttpServer.Limits.DEFAULT,
                new SystemTime());
        server = opened;
        port = ((Listener.Tcp) opened.listeners().getFirst()).port();
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
        assertEquals(List.of(), bench.faults);
    }

    private Socket open() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        String request = "GET /v1/client/allocation/a/exec?task=t&command=%5B%22a%22%5D HTTP/1.1\r\n"
                + "Host: 127.0.0.1:"
                + port
                + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            head.append((char) socket.getInputStream().read());
        }
        assertTrue(head.toString().startsWith("HTTP/1.1 101"), head.toString());
        return socket;
    }

    /** A masked frame, with a mask of zeros. */
    private static byte[] frame(int head, byte[] payload, long claimed) {
        ByteBuffer frame = ByteBuffer.allocate(14 + payload.length);
        frame.put((byte) head).put((byte) 0xff).putLong(claimed).putInt(0).put(payload);
        return frame.array();
    }

    private static byte[] text(String payload) {
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        return frame(0x81, bytes, bytes.length);
    }

    /** The status with which the server closes; -1 if it only hangs up. */
    private static int closed(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        while (true) {
            int head = in.read();
            if (head < 0) {
                return -1;
            }
            int length = in.readUnsignedByte();
            byte[] payload = new byte[length == 126 ? in.readUnsignedShort() : length];
            in.readFully(payload);
            if ((head & 0xf) == 8) {
                return ByteBuffer.wrap(payload).getShort() & 0xffff;
            }
        }
    }

    /** Over a server of its own, since the fake command's end is for the next session too. */
    private int statusAfter(byte[]... frames) throws Exception {
        stop();
        bench = new TestBench();
        listen();
        try (Socket socket = open()) {
            for (byte[] frame : frames) {
                send(socket, frame);
            }
            return closed(socket);
        }
    }

    private static void send(Socket socket, byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException closedMeanwhile) {
            assertTrue(bytes.length > 0);
        }
    }

    @Test
    void textThatIsNoUnicodeEndsTheSession() throws Exception {
        assertEquals(NOT_TEXT, statusAfter(frame(0x81, new byte[] {'"', (byte) 0xff, '"'}, 3)));
        // Cut inside of a character, over two frames.
        assertEquals(
                NOT_TEXT, statusAfter(frame(0x01, new byte[] {'"', (byte) 0xe2}, 2), frame(0x80, new byte[] {'"'}, 1)));
        assertTrue(bench.node.closed.await(20, TimeUnit.SECONDS));
    }

    @Test
    void aMessageOfImpossibleSizeEndsTheSessionBeforeItIsTaken() throws Exception {
        assertEquals(TOO_LARGE, statusAfter(frame(0x81, new byte[100], 1L << 40)));
    }

    @Test
    void aMessageInManyFramesIsBoundedTheSame() throws Exception {
        byte[] part = new byte[1 << 20];
        Arrays.fill(part, (byte) ' ');
        assertEquals(
                TOO_LARGE,
                statusAfter(
                        frame(0x01, part, part.length),
                        frame(0x00, part, part.length),
                        frame(0x00, part, part.length),
                        frame(0x00, part, part.length),
                        frame(0x00, part, part.length)));
    }

    @Test
    void framesThatBreakTheProtocolEndTheSession() throws Exception {
        assertEquals(PROTOCOL, statusAfter(frame(0x8f, new byte[0], 0)));
        assertEquals(PROTOCOL, statusAfter(new byte[] {(byte) 0x81, 1, 'x'}));
        assertEquals(PROTOCOL, statusAfter(frame(0x00, new byte[] {'x'}, 1)));
        assertEquals(PROTOCOL, statusAfter(frame(0xf1, new byte[] {'x'}, 1)));
    }

    @Test
    void anEndInTheMiddleOfAFrameEndsTheCommand() throws Exception {
        try (Socket socket = open()) {
            send(socket, frame(0x81, new byte[] {'{'}, 1000));
        }
        assertTrue(bench.node.closed.await(20, TimeUnit.SECONDS));
    }

    @Test
    void whateverIsSentTheServerGoesOn() throws Exception {
        Random random = new Random(20_261_122);
        for (int i = 0; i < 60; i++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            try (Socket socket = open()) {
                send(socket, bytes);
                if (random.nextBoolean()) {
                    socket.shutdownOutput();
                    closed(socket);
                }
            } catch (IOException _) {
                // To end the connection is an answer too; what counts is the one after it.
            }
        }
        assertEquals(NOT_TEXT, statusAfter(frame(0x81, new byte[] {(byte) 0xff}, 1)));
    }

    @Test
    void aWholeMessageIsStillHeard() throws Exception {
        try (Socket socket = open()) {
            send(socket, text("{\"stdin\":{\"data\":\"b25l\"}}"));
            assertEquals("{\"stdin\":{\"data\":\"b25l\"}}", bench.node.sent.poll(20, TimeUnit.SECONDS));
        }
    }
}
