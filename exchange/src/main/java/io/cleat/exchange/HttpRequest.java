package io.cleat.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request.
 *
 * @param target path and query, encoded
 * @param host what the {@code Host} field says
 * @param fields beside those that belong to the connection
 * @param body null for none
 */
@SuppressWarnings("ArrayRecordComponent")
public record HttpRequest(
        String method, String target, String host, Map<String, String> fields, byte @Nullable [] body) {
    /** Sends it, and reads the head of the reply, whose body is read as it is asked for. */
    public HttpReply over(TimedChannel channel) throws IOException {
        channel.write(ByteBuffer.wrap(head()));
        if (body != null) {
            channel.write(ByteBuffer.wrap(body));
        }
        return HttpReply.read(channel, !method.equals("HEAD"));
    }

    private byte[] head() {
        StringBuilder head = new StringBuilder();
        head.append(method).append(' ').append(target);
        head.append(" HTTP/1.1\r\nHost: ").append(host);
        // Not "Connection: close": a stream would then end with the connection, and one that is cut
        // would look like one that is over.
        head.append("\r\n");
        if (!method.equals("GET") || body != null) {
            head.append("Content-Length: ")
                    .append(body == null ? 0 : body.length)
                    .append("\r\n");
        }
        fields.forEach((name, value) ->
                head.append(name).append(": ").append(oneLine(value)).append("\r\n"));
        return head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** A value that cannot begin another field. */
    private static String oneLine(String value) {
        return value.replaceAll("[\r\n]", " ");
    }
}
