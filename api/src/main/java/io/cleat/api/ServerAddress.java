package io.cleat.api;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/** Where a server listens. */
public sealed interface ServerAddress {
    /** A TCP port, without encryption. */
    record Tcp(String host, int port) implements ServerAddress {}

    /** A socket in the file system. */
    record Unix(Path path) implements ServerAddress {}

    /**
     * Reads {@code http://host:port} (port 4646 unless given), {@code unix:///path} or {@code host:port}.
     *
     * @throws Refused {@link Refusal.Malformed} for anything else, {@code https} among it
     */
    static ServerAddress parse(String text) throws Refused {
        if (text.startsWith("unix://")) {
            return new Unix(Path.of(text.substring("unix://".length())));
        }
        try {
            URI uri = new URI(text.contains("://") ? text : "http://" + text);
            if ("http".equals(uri.getScheme()) && uri.getHost() != null) {
                return new Tcp(uri.getHost(), uri.getPort() < 0 ? 4646 : uri.getPort());
            }
        } catch (URISyntaxException unreadable) {
            throw unreadable(text);
        }
        throw unreadable(text);
    }

    private static Refused unreadable(String text) {
        return new Refused(new Refusal.Malformed("cannot read the address \""
                + text
                + "\": expected http://host:port or unix:///path (https is not supported by this version)"));
    }

    /** What the {@code Host} header says. */
    default String hostField() {
        return switch (this) {
            case Tcp tcp -> tcp.host() + ":" + tcp.port();
            case Unix _ -> "localhost";
        };
    }

    /** The address to connect to. */
    default SocketAddress socket() {
        return switch (this) {
            case Tcp tcp -> new InetSocketAddress(tcp.host().replaceAll("[\\[\\]]", ""), tcp.port());
            case Unix unix -> UnixDomainSocketAddress.of(unix.path());
        };
    }

    /** The address as users write it. */
    default String text() {
        return switch (this) {
            case Tcp tcp -> "http://" + tcp.host() + ":" + tcp.port();
            case Unix unix -> "unix://" + unix.path();
        };
    }
}
