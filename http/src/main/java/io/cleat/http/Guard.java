package io.cleat.http;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Lets in only who meant this server. A web page can make a browser send requests to a local port; what it cannot do is
 * choose {@code Host} and {@code Origin}, so foreign ones are refused. Over a Unix socket no browser comes, and the
 * host is not looked at.
 *
 * <p>One that wants a token asks for it in everything that does not come over a Unix socket, which only its owner can
 * open. The one exception is the question whether the agent is well, so that whoever balances load needs no token.
 */
public final class Guard {
    private static final Set<String> LOCAL = Set.of("127.0.0.1", "localhost", "[::1]");

    /** The words that Nomad's clients know. */
    private static final String DENIED = "Permission denied";

    private static final List<String> HEALTH = List.of("v1", "agent", "health");

    private final boolean anyHost;
    private final Optional<AccessToken> token;

    private Guard(boolean anyHost, Optional<AccessToken> token) {
        this.anyHost = anyHost;
        this.token = token;
    }

    /** Only requests to this machine's own names. */
    public static Guard local() {
        return new Guard(false, Optional.empty());
    }

    /** For an address that others were meant to reach: any host, but still no other site's pages. */
    public static Guard anyHost() {
        return new Guard(true, Optional.empty());
    }

    /** The same, but over TCP only with the token. */
    public Guard wanting(AccessToken wanted) {
        return new Guard(anyHost, Optional.of(wanted));
    }

    /** Why the request is refused, if it is. Its body is not looked at. */
    Optional<String> refuses(Request request) {
        String host = request.header("Host").toLowerCase(Locale.ROOT);
        if (request.port() != Request.UNIX && !anyHost && !isLocal(host, request.port())) {
            return Optional.of("Host \""
                    + host
                    + "\" is not this agent; use 127.0.0.1, localhost or [::1] with port "
                    + request.port());
        }
        String origin = request.header("Origin").toLowerCase(Locale.ROOT);
        if (!origin.isEmpty() && !origin.equals("http://" + host)) {
            return Optional.of("pages of \"" + origin + "\" may not use this agent");
        }
        if (request.header("Sec-Fetch-Site").strip().equalsIgnoreCase("cross-site")) {
            return Optional.of("pages of other sites may not use this agent");
        }
        return isKnown(request) ? Optional.empty() : Optional.of(DENIED);
    }

    private boolean isKnown(Request request) {
        return token.isEmpty()
                || request.port() == Request.UNIX
                || token.get().isWith(request)
                || (request.method().equals("GET") && request.segments().equals(HEALTH));
    }

    private static boolean isLocal(String host, int port) {
        String suffix = ":" + port;
        return host.endsWith(suffix)
                ? LOCAL.contains(host.substring(0, host.length() - suffix.length()))
                : port == 80 && LOCAL.contains(host);
    }
}
