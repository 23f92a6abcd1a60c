package io.cleat.http;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Lets in only who meant this server. A web page can make a browser send requests to a local port;
 * what it cannot do is choose {@code Host} and {@code Origin}, so foreign ones are refused. Over a
 * Unix socket no browser comes, and the host is not looked at.
 */
public final class Guard {
    private static final Set<String> LOCAL = Set.of("127.0.0.1", "localhost", "[::1]");

    private final boolean anyHost;

    private Guard(boolean anyHost) {
        this.anyHost = anyHost;
    }

    /** Only requests to this machine's own names. */
    public static Guard local() {
        return new Guard(false);
    }

    /**
     * For an address that others were meant to reach: any host, but still no other site's pages.
     */
    public static Guard anyHost() {
        return new Guard(true);
    }

    /** Why the request is refused, if it is. */
    Optional<String> refuses(Request request) {
        String host = request.header("Host").toLowerCase(Locale.ROOT);
        if (request.port() != Request.UNIX && !anyHost && !isLocal(host, request.port())) {
            return Optional.of(
                    "Host \""
                            + host
                            + "\" is not this agent; use 127.0.0.1, localhost or [::1] with port "
                            + request.port());
        }
        String origin = request.header("Origin").toLowerCase(Locale.ROOT);
        if (!origin.isEmpty() && !origin.equals("http://" + host)) {
            return Optional.of("pages of \"" + origin + "\" may not use this agent");
        }
        return request.header("Sec-Fetch-Site").equals("cross-site")
                ? Optional.of("pages of other sites may not use this agent")
                : Optional.empty();
    }

    private static boolean isLocal(String host, int port) {
        String suffix = ":" + port;
        return host.endsWith(suffix)
                ? LOCAL.contains(host.substring(0, host.length() - suffix.length()))
                : port == 80 && LOCAL.contains(host);
    }
}
