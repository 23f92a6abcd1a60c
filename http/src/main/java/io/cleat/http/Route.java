package io.cleat.http;

import io.cleat.base.Refused;
import io.cleat.base.Trouble;

/**
 * One method of one path.
 *
 * @param pattern such as {@code /v1/volume/csi/:id}; see {@link PathPattern}
 * @param missingIs404 whether "no such object" is 404 here: so on reads, while writes answer 500
 */
public record Route(String method, String pattern, Handler handler, boolean missingIs404) {
    /** What a route does. */
    @FunctionalInterface
    public interface Handler {
        Reply handle(Request request) throws Refused, Trouble, InterruptedException;
    }

    public static Route get(String pattern, Handler handler) {
        return new Route("GET", pattern, handler, true);
    }

    /** PUT and POST, which are the same everywhere. */
    public static Route put(String pattern, Handler handler) {
        return new Route("PUT", pattern, handler, false);
    }

    public static Route delete(String pattern, Handler handler) {
        return new Route("DELETE", pattern, handler, false);
    }

    /** This route, answering "no such object" with 404. */
    public Route withMissingAs404() {
        return new Route(method, pattern, handler, true);
    }

    boolean accepts(String requestMethod) {
        return method.equals(requestMethod) || (method.equals("PUT") && requestMethod.equals("POST"));
    }
}
