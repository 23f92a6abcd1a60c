package io.cleat.http;

import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.exchange.OpenConnection;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is answered.
 *
 * @param headers beside those that the body implies
 */
public record Reply(int status, Map<String, String> headers, Body body) {
    /** What follows the headers. */
    public sealed interface Body {}

    /** Nothing, and no content type. */
    public record Empty() implements Body {}

    /** A record, a list, {@link io.cleat.api.Rows}, or null; made and written as it is read. */
    public record Json(@Nullable Object value) implements Body {}

    /** A bare message. */
    public record Text(String text) implements Body {}

    /**
     * Bytes of another agent's answer.
     *
     * @param contentType empty for none
     * @param bytes the receiver's own
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Bytes(String contentType, byte[] bytes) implements Body {}

    /**
     * Written as it comes, never compressed, flushed by its writer.
     *
     * @param length of all of it in bytes, or -1 if that is not known
     */
    public record Stream(String contentType, long length, Writer writer) implements Body {
        public Stream(String contentType, Writer writer) {
            this(contentType, AnswerSink.UNKNOWN, writer);
        }
    }

    /** The connection becomes a websocket, on which a conversation is held. */
    public record WebSocket(Conversation conversation) implements Body {}

    /**
     * The connection is joined to one of another agent, whatever is spoken on it.
     *
     * @param connection the receiver's to close
     */
    public record Tunnel(OpenConnection connection) implements Body {}

    /** Writes a stream to its end; an exception cuts the connection, so that no reader takes it for the end. */
    @FunctionalInterface
    public interface Writer {
        void write(OutputStream out) throws IOException, Refused, Trouble, InterruptedException;
    }

    public static Reply json(@Nullable Object value) {
        return new Reply(200, Map.of(), new Json(value));
    }

    public static Reply empty() {
        return new Reply(200, Map.of(), new Empty());
    }

    public static Reply text(int status, String text) {
        return new Reply(status, Map.of(), new Text(text));
    }

    public static Reply stream(String contentType, Writer writer) {
        return new Reply(200, Map.of(), new Stream(contentType, writer));
    }

    public static Reply webSocket(Conversation conversation) {
        return new Reply(101, Map.of(), new WebSocket(conversation));
    }

    /** The same with one header more. */
    public Reply with(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new Reply(status, more, body);
    }
}
