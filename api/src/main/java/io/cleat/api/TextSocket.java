package io.cleat.api;

import io.cleat.exchange.HttpReply;
import io.cleat.exchange.OpenConnection;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The client's side of a websocket (RFC 6455) that carries text messages, as much of it as our server speaks: no
 * extensions, no sub-protocols. By hand for the reasons of docs/decisions/http-client.md.
 *
 * <p>One thread receives; any may send, each message whole under {@code sending}.
 */
public final class TextSocket implements AutoCloseable {
    /** A normal end (RFC 6455 section 7.4.1). */
    public static final int NORMAL = 1000;

    private static final int NO_STATUS = 1005;
    private static final int CONTINUATION = 0;
    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int FINAL = 0x80;
    private static final int MASKED = 0x80;
    private static final int LONGEST_MESSAGE = 16 << 20;
    private static final String ANSWER = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final OpenConnection connection;
    private final DataInputStream input;
    private final ReentrantLock sending = new ReentrantLock();
    private int status = NO_STATUS;
    private String reason = "";

    private TextSocket(OpenConnection connection) {
        this.connection = connection;
        this.input = new DataInputStream(connection.input());
    }

    /** The fields of a request for one, which {@link #over} checks the answer to. */
    static Map<String, String> request() {
        byte[] key = new byte[16];
        RANDOM.nextBytes(key);
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("Upgrade", "websocket");
        fields.put("Connection", "Upgrade");
        fields.put("Sec-WebSocket-Version", "13");
        fields.put("Sec-WebSocket-Key", Base64.getEncoder().encodeToString(key));
        return fields;
    }

    static TextSocket over(HttpReply reply, Map<String, String> request) throws IOException {
        String key = request.getOrDefault("Sec-WebSocket-Key", "");
        if (!reply.field("Sec-WebSocket-Accept").equals(accept(key))) {
            throw new ProtocolException("the answer is not that of a websocket");
        }
        return new TextSocket(reply.connection());
    }

    private static String accept(String key) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1")
                            .digest((key + ANSWER).getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    /** Sends one message of text in UTF-8. */
    public void send(byte[] text) throws IOException {
        frame(TEXT, text);
    }

    private void frame(int kind, byte[] payload) throws IOException {
        byte[] mask = new byte[4];
        RANDOM.nextBytes(mask);
        ByteBuffer frame = ByteBuffer.allocate(14 + payload.length);
        frame.put((byte) (FINAL | kind));
        if (payload.length < 126) {
            frame.put((byte) (MASKED | payload.length));
        } else if (payload.length <= 0xffff) {
            frame.put((byte) (MASKED | 126)).putShort((short) payload.length);
        } else {
            frame.put((byte) (MASKED | 127)).putLong(payload.length);
        }
        frame.put(mask);
        for (int i = 0; i < payload.length; i++) {
            frame.put((byte) (payload[i] ^ mask[i & 3]));
        }
        frame.flip();
        sending.lock();
        try {
            connection.write(frame);
        } finally {
            sending.unlock();
        }
    }

    /**
     * The next message; blocks until there is one.
     *
     * @return empty once the other side has closed; {@link #status} tells why
     * @throws IOException the connection broke without a word
     */
    public Optional<byte[]> receive() throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        while (true) {
            int head = input.readUnsignedByte();
            byte[] payload = payload(message.size());
            switch (head & 0xf) {
                case TEXT, BINARY, CONTINUATION -> {
                    message.writeBytes(payload);
                    if ((head & FINAL) != 0) {
                        return Optional.of(message.toByteArray());
                    }
                }
                case PING -> frame(PONG, payload);
                case PONG -> {}
                case CLOSE -> {
                    closed(payload);
                    return Optional.empty();
                }
                default -> throw new ProtocolException("a frame of kind " + (head & 0xf));
            }
        }
    }

    private byte[] payload(int before) throws IOException {
        int first = input.readUnsignedByte();
        long length = first & 0x7f;
        if (length == 126) {
            length = input.readUnsignedShort();
        } else if (length == 127) {
            length = input.readLong();
        }
        if ((first & MASKED) != 0 || length < 0 || length > LONGEST_MESSAGE - before) {
            throw new ProtocolException("a frame of " + length + " bytes, or a masked one");
        }
        byte[] payload = new byte[(int) length];
        input.readFully(payload);
        return payload;
    }

    private void closed(byte[] payload) {
        if (payload.length >= 2) {
            status = ByteBuffer.wrap(payload).getShort() & 0xffff;
            reason = new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8);
        }
        try {
            frame(CLOSE, payload);
        } catch (IOException goneAlready) {
            // The answer is a courtesy.
            return;
        }
    }

    /** How the other side closed; 1005 if it did not say, or has not. */
    public int status() {
        return status;
    }

    /** Its words. */
    public String reason() {
        return reason;
    }

    @Override
    public void close() {
        connection.close();
    }
}
