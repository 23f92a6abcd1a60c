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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The reply to one request over a connection of its own (RFC 9112, of which a client needs this much: status line,
 * fields, body by length, in chunks, or to the end). The head is bounded, also over all interim replies before it; how
 * much of the body is read is the reader's matter.
 */
public final class HttpReply implements AutoCloseable {
    /** The connection speaks something else from now on. */
    static final int SWITCHED = 101;

    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    /** Signed addresses, such as a {@code Location} has, take up to half of it. */
    static final int LONGEST_LINE = 8 * 1024;

    private static final int LONGEST_HEAD = 64 * 1024;
    private static final int QUOTED = 60;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-9][0-9]{2})(?: .*)?");

    private final InputStream connection;
    private final int status;
    private final Map<String, String> fields;
    private final InputStream body;

    private HttpReply(InputStream connection, int status, Map<String, String> fields, InputStream body) {
        this.connection = connection;
        this.status = status;
        this.fields = fields;
        this.body = body;
    }

    /** Reads the head of a reply; the body is read as it is asked for. */
    public static HttpReply read(InputStream connection, boolean hasBody) throws IOException {
        InputStream in = new BufferedInputStream(connection);
        Head head = new Head(in);
        int status = head.status();
        Map<String, String> fields = head.fields();
        while (status < 200 && status != SWITCHED) {
            status = head.status();
            fields = head.fields();
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

    /** Reads lines, as long as they are not too many. */
    private static final class Head {
        private final InputStream in;
        private int left = LONGEST_HEAD;

        Head(InputStream in) {
            this.in = in;
        }

        int status() throws IOException {
            String line = next();
            Matcher status = STATUS.matcher(line);
            if (!status.matches()) {
                throw new ProtocolException("its answer is not HTTP/1: it begins with " + quoted(line));
            }
            return Integer.parseInt(status.group(1));
        }

        Map<String, String> fields() throws IOException {
            Map<String, String> fields = new TreeMap<>();
            for (String line = next(); !line.isEmpty(); line = next()) {
                int colon = line.indexOf(':');
                if (colon <= 0) {
                    throw new ProtocolException("not a header field: " + quoted(line));
                }
                fields.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
            return fields;
        }

        private String next() throws IOException {
            String line = line(in);
            left -= line.length();
            if (left < 0) {
                throw new ProtocolException("its answer's head is longer than 64 KiB");
            }
            return line;
        }
    }

    private static String quoted(String line) {
        return "\"" + line.substring(0, Math.min(QUOTED, line.length())) + "\"";
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
                throw new EOFException("it closed the connection before its answer was whole");
            }
            if (line.length() >= LONGEST_LINE) {
                throw new ProtocolException("a line of its answer is longer than 8 KiB");
            }
            line.append((char) c);
        }
        int end = line.length();
        return end > 0 && line.charAt(end - 1) == '\r' ? line.substring(0, end - 1) : line.toString();
    }

    /** All of the body as text. */
    public String text() throws IOException {
        return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }
}
