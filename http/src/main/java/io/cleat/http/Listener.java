package io.cleat.http;

import java.net.InetAddress;
import java.nio.file.Path;

/** Where a server listens. */
public sealed interface Listener {
    /**
     * A TCP port.
     *
     * @param port 0 for a free one
     */
    record Tcp(InetAddress address, int port) implements Listener {
        @Override
        public String toString() {
            String host = address.getHostAddress();
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /** A Unix socket with mode 0600; a directory that is made for it gets mode 0700. */
    record Unix(Path path) implements Listener {
        @Override
        public String toString() {
            return path.toString();
        }
    }
}
