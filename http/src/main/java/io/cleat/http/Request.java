package io.cleat.http;

import io.cleat.base.EarlyEnd;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One request, read whole. Paths are taken apart before they are decoded, so that an id may contain any character, an
 * encoded slash too.
 */
public final class Request {
    /** The {@link #port} of what came over a Unix socket. */
    public static final int UNIX = 0;

    private final String method;
    private final String target;
    private final List<String> segments;
    private final Map<String, List<String>> query;
    private final Map<String, String> headers;
    private final byte[] body;
    private final int port;
    private final Map<String, String> variables;
    private final EarlyEnd early;

    private Request(
            String method,
            String target,
            List<String> segments,
            Map<String, List<String>> query,
            Map<String, String> headers,
            byte[] body,
            int port,
            Map<String, String> variables,
            EarlyEnd early) {
        this.method = method;
        this.target = target;
        this.segments = segments;
        this.query = query;
        this.headers = headers;
        this.body = body;
        this.port = port;
        this.variables = variables;
        this.early = early;
    }

    /**
     * @param target path and query as they came, encoded
     * @param headers by name in lower case
     * @param port of the listener, or {@link #UNIX}
     * @throws Refused {@link Refusal.Malformed} if the target is no path, is not encoded as it should be, or stands for
     *     a text that is not valid Unicode or holds a NUL
     */
    public static Request of(String method, String target, Map<String, String> headers, byte[] body, int port)
            throws Refused {
        if (!target.startsWith("/")) {
            throw new Refused(new Refusal.Malformed(
                    "the request is for no path; expected one that begins with a slash, such as /v1/jobs"));
        }
        int mark = target.indexOf('?');
        String path = mark < 0 ? target : target.substring(0, mark);
        String query = mark < 0 ? "" : target.substring(mark + 1);
        return new Request(method, target, segments(path), query(query), headers, body, port, Map.of(), EarlyEnd.NEVER);
    }

    private static List<String> segments(String path) throws Refused {
        List<String> segments = new ArrayList<>();
        for (String raw : path.substring(1).split("/", -1)) {
            segments.add(Percent.decode("path", raw));
        }
        return segments;
    }

    /** The values of each name, in order; a name without a value has the empty one. */
    private static Map<String, List<String>> query(String query) throws Refused {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String part : query.split("&", -1)) {
            if (!part.isEmpty()) {
                int equals = part.indexOf('=');
                String name = equals < 0 ? part : part.substring(0, equals);
                String value = equals < 0 ? "" : part.substring(equals + 1);
                values.computeIfAbsent(form(name), each -> new ArrayList<>()).add(form(value));
            }
        }
        return values;
    }

    /** In a query a plus sign is a space, as forms send it. */
    private static String form(String text) throws Refused {
        return Percent.decode("query", text.replace('+', ' '));
    }

    Request with(Map<String, String> pathVariables) {
        return new Request(method, target, segments, query, headers, body, port, pathVariables, early);
    }

    /** The same, with a body. */
    Request carrying(byte[] content) {
        return new Request(method, target, segments, query, headers, content, port, variables, early);
    }

    /** The same, whose waits somebody may end. */
    Request endedBy(EarlyEnd end) {
        return new Request(method, target, segments, query, headers, body, port, variables, end);
    }

    /** Ends what it waits for, as when its client has hung up. */
    public EarlyEnd early() {
        return early;
    }

    public String method() {
        return method;
    }

    /** Path and query as they came, encoded. */
    String target() {
        return target;
    }

    /** All headers, by name in lower case. */
    Map<String, String> headers() {
        return Map.copyOf(headers);
    }

    /** The decoded parts of the path. */
    List<String> segments() {
        return segments;
    }

    /** The part of the path that the route calls {@code name}. */
    public String variable(String name) {
        String value = variables.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the route has no :" + name);
        }
        return value;
    }

    /**
     * A query parameter, the first if it was given several times; present with the empty value if it was given without
     * one.
     */
    public Optional<String> query(String name, boolean evenEmpty) {
        List<String> values = query.get(name);
        return values == null || (!evenEmpty && values.getFirst().isEmpty())
                ? Optional.empty()
                : Optional.of(values.getFirst());
    }

    /** A query parameter, the first if it was given several times; empty if it was not given. */
    public String text(String name) {
        return query(name, false).orElse("");
    }

    /** All values of a query parameter, in order. */
    public List<String> texts(String name) {
        return List.copyOf(query.getOrDefault(name, List.of()));
    }

    /** A header; empty if it was not sent. */
    public String header(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    /** The body; empty if there was none. Not to be changed. */
    public byte[] body() {
        return body;
    }

    /** Whether the client wants to go on with a websocket (RFC 6455 section 4.2.1). */
    public boolean isWebSocket() {
        return header("Upgrade").equalsIgnoreCase("websocket");
    }

    int port() {
        return port;
    }
}
