package io.cleat.http;

import io.cleat.api.CleatClient;
import io.cleat.api.ServerAddress;
import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Retry;
import io.cleat.exchange.HttpReply;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Passes a request on to another agent, and its answer back, both unread: what a route gives is the same through
 * whichever agent it is asked. A request goes two steps at most, from a node to its server and to the node that it is
 * about, so that two agents that each take the other for the right one do not send it back and forth.
 */
public final class Relay {
    private static final String STEPS = "X-Cleat-Relayed";
    private static final String LAST = "2";

    private Relay() {}

    /** Whether the request has gone far enough: it is answered here, or not at all. */
    static boolean isAtItsEnd(Request request) {
        return request.header(STEPS).equals(LAST);
    }

    /**
     * The other agent's answer. A stream stays one, and a large answer becomes one.
     *
     * @throws LinkTrouble nobody answers there
     */
    public static Reply pass(Request request, ServerAddress to) throws LinkTrouble {
        Map<String, String> fields = new TreeMap<>();
        request.headers().forEach((name, value) -> {
            if (name.startsWith("x-")
                    || name.equals("content-type")
                    || name.equals("accept-encoding")
                    || (request.isWebSocket() && isOfWebSocket(name))) {
                fields.put(name, value);
            }
        });
        fields.put(STEPS.toLowerCase(Locale.ROOT), request.header(STEPS).isEmpty() ? "1" : LAST);
        HttpReply answer = new CleatClient(to, CleatClient.Options.NONE)
                .pass(request.method(), request.target(), fields, request.body());
        Map<String, String> headers = new TreeMap<>();
        answer.fields().forEach((name, value) -> {
            if (name.startsWith("x-")
                    || (answer.isSwitched() && isOfWebSocket(name))
                    || name.equals("location")
                    || name.equals("content-encoding")
                    || name.equals("content-security-policy")) {
                headers.put(name, value);
            }
        });
        return new Reply(answer.status(), headers, body(answer, to));
    }

    /** The fields with which a connection becomes a websocket. */
    private static boolean isOfWebSocket(String name) {
        return name.equals("upgrade") || name.equals("connection") || name.startsWith("sec-websocket-");
    }

    private static Reply.Body body(HttpReply answer, ServerAddress from) throws LinkTrouble {
        if (answer.isSwitched()) {
            return tunnel(answer, from);
        }
        long length = answer.length();
        if (length < 0 || length > AnswerBody.BUFFER) {
            return new Reply.Stream(answer.field("Content-Type"), length, out -> copy(answer, out));
        }
        try (answer) {
            return new Reply.Bytes(answer.field("Content-Type"), answer.body().readAllBytes());
        } catch (IOException cut) {
            throw new LinkTrouble(
                    "the answer of the agent at " + from.text() + " was cut: " + cut.getMessage(),
                    Effect.UNKNOWN,
                    Retry.SAME_CALL,
                    cut);
        }
    }

    private static Reply.Body tunnel(HttpReply answer, ServerAddress from) throws LinkTrouble {
        try {
            return new Reply.Tunnel(answer.connection());
        } catch (IOException unusable) {
            throw new LinkTrouble(
                    "the connection of the agent at " + from.text() + ": " + unusable.getMessage(),
                    Effect.UNKNOWN,
                    Retry.SAME_CALL,
                    unusable);
        }
    }

    /** Each piece as soon as it is there: somebody may be following a log. */
    private static void copy(HttpReply answer, OutputStream out) throws IOException {
        try (answer) {
            InputStream in = answer.body();
            byte[] some = new byte[8192];
            for (int count = in.read(some); count >= 0; count = in.read(some)) {
                out.write(some, 0, count);
                out.flush();
            }
        }
    }
}
