package io.cleat.fuzz.requests;

import io.cleat.http.Route;
import java.io.ByteArrayOutputStream;
import java.util.Optional;

/**
 * A route's request as it should be, and with one part of it otherwise.
 *
 * @param body as text, absent for none
 */
record Sent(Route route, String target, Optional<String> body) {
    /** Blocking reads end at once, so that no answer is waited for. */
    private static final String SHORTLY = "wait=10ms";

    static Sent of(Route route, Ids ids, Optional<String> body) {
        String id = ids.of(route.method(), route.pattern());
        return new Sent(route, path(route, id) + "?" + SHORTLY + more(route), body);
    }

    static String path(Route route, String id) {
        return route.pattern().replaceAll("[:*][a-z_]+", java.util.regex.Matcher.quoteReplacement(id));
    }

    /** Without which a route says no before it looks at anything else. */
    private static String more(Route route) {
        String pattern = route.pattern();
        if (pattern.startsWith("/v1/client/")) {
            String command = pattern.endsWith("/exec") ? "&command=%5B%22true%22%5D" : "";
            return "&task=t&type=stdout&path=alloc" + command;
        }
        return pattern.startsWith("/v1/volumes") ? "&type=csi&plugin_id=nobody" : "";
    }

    /** Whether its answer may have no end. */
    boolean isEndless() {
        return target.contains("/event/stream")
                || target.contains("/agent/monitor")
                || target.contains("follow=")
                || target.contains("/exec");
    }

    Attack.Answer answer() {
        return isEndless() ? Attack.Answer.CUT : Attack.Answer.READ;
    }

    Sent asked(String more) {
        return new Sent(route, target + "&" + more, body);
    }

    Sent at(String otherPath) {
        return new Sent(route, otherPath + target.substring(target.indexOf('?')), body);
    }

    Sent with(String otherBody) {
        return new Sent(route, target, Optional.of(otherBody));
    }

    byte[] bytes() {
        return bytes(route.method(), "");
    }

    /** @param headers whole lines */
    byte[] bytes(String method, String headers) {
        return bytes(method, headers, body.map(Attack::bytes).orElse(new byte[0]));
    }

    byte[] bytes(String method, String headers, byte[] content) {
        String length = content.length == 0 && body.isEmpty() ? "" : lengthOf(content.length);
        return joined(head(method, length + headers), content);
    }

    /** Lines up to the empty one. */
    String head(String method, String headers) {
        String host = headers.contains("Host:") ? "" : "Host: localhost\r\n";
        return method + " " + target + " HTTP/1.1\r\n" + host + headers + "\r\n";
    }

    static String lengthOf(long bytes) {
        return "Content-Length: " + bytes + "\r\n";
    }

    static byte[] joined(String head, byte[] content) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Attack.bytes(head));
        all.writeBytes(content);
        return all.toByteArray();
    }
}
