package io.cleat.exchange;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The reply to one request over a connection of its own (RFC 9112, of which a client needs this
 * much: status line, fields, body by length, in chunks, or to the end).
 */
public final class HttpReply implements AutoCloseable {
    /** The connection speaks something else from now on. */
    static final int SWITCHED = 101;

    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final int LONGEST_LINE = 64 * 1024;

    private final InputStream connection;
    private final int status;
    private final Map<String, String> fields;
    private final InputStream body;

    private HttpReply(
            InputStream connection, int status, Map<String, String> fields, InputStream body) {
        this.connection = connection;
        this.status = status;
        this.fields = fields;
        this.body = body;
    }

    /** Reads the head of a reply; the body is read as it is asked for. */
    static HttpReply read(InputStream connection, boolean hasBody) throws IOException {
        InputStream in = new BufferedInputStream(connection);
        int status = status(line(in));
        Map<String, String> fields = fields(in);
        while (status >= 100 && status < 200 && status != SWITCHED) {
            status = status(line(in));
            fields = fields(in);
        }
        boolean isEmpty = !hasBody || status == NO_CONTENT || status == NOT_MODIFIED;
        return new HttpReply(connection, status, fields, isEmpty ? empty() : body(in, fields));
    }

    public int status() {
        return status;
    }

    /** A field's value; empty if it is not there. */
    public String field(String name) {
        return fields.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    /** All fields, by name in lower case. */
    public Map<String, String> fields() {
        return Map.copyOf(fields);
    }

    /** How long the body is, in bytes; -1 if that is not known before it has ended. */
    public long length() {
        return body instanceof SizedBody sized ? sized.left() : -1;
    }

    /** The body, read as it comes. */
    public InputStream body() {
        return body;
    }

    /** Whether the connection speaks something else from now on (RFC 9110 section 7.8). */
    public boolean isSwitched() {
        return status == SWITCHED;
    }

    /** The connection, if it is switched; its owner closes it instead of this. */
    public OpenConnection connection() throws IOException {
        if (!isSwitched() || !(connection instanceof TimedChannel channel)) {
            throw new ProtocolException("the connection still speaks HTTP");
        }
        channel.lift();
        return new OpenConnection(body, channel);
    }

    /** Ends its connection, if there is one, whatever becomes of it: nobody reads on. */
    public static void abandon(@Nullable HttpReply reply) {
        try {
            if (reply != null) {
                reply.close();
            }
        } catch (IOException nothingIsLost) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    private static InputStream body(InputStream in, Map<String, String> fields) throws IOException {
        if (fields.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
            return new ChunkedBody(in);
        }
        String length = fields.get("content-length");
        return length == null ? in : new SizedBody(in, number(length, 10));
    }

    private static InputStream empty() {
        return InputStream.nullInputStream();
    }

    private static int status(String line) throws IOException {
        String[] parts = line.split(" ", 3);
        if (parts.length < 2 || !parts[0].startsWith("HTTP/1.")) {
            throw new ProtocolException("not an HTTP/1 answer: it begins with \"" + line + "\"");
        }
        return Math.toIntExact(number(parts[1], 10));
    }

    private static Map<String, String> fields(InputStream in) throws IOException {
        Map<String, String> fields = new TreeMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw new ProtocolException("not a header field: \"" + line + "\"");
            }
            fields.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return fields;
    }

    /** A number of a field. */
    public static long number(String text, int radix) throws IOException {
        try {
            return Long.parseUnsignedLong(text.strip(), radix);
        } catch (NumberFormatException unreadable) {
            throw new ProtocolException("not a number: \"" + text + "\"");
        }
    }

    static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection ended early");
            }
            if (line.length() > LONGEST_LINE) {
                throw new ProtocolException("a header is longer than " + LONGEST_LINE + " bytes");
            }
            line.append((char) c);
        }
        int end = line.length();
        return end > 0 && line.charAt(end - 1) == '\r'
                ? line.substring(0, end - 1)
                : line.toString();
    }

    /** All of the body as text. */
    public String text() throws IOException {
        return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
}
