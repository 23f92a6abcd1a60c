package io.cleat.csi;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Where a plugin is connected to. Its directory is the plugin's to write in, so the socket is looked at for each
 * connection, and what was looked at is what is connected to.
 */
@FunctionalInterface
public interface PluginSocket {
    /** A socket that may be connected to until it is closed. */
    interface Opened extends AutoCloseable {
        /** Leads to this very socket; at most 107 bytes long. */
        Path path();

        @Override
        void close();
    }

    /**
     * Opens it for one connection. Returns at once.
     *
     * @throws IOException if it is not there, or not what may be connected to; the message says why
     */
    Opened open() throws IOException;

    /** Whatever is at a path, which nobody else can change. */
    static PluginSocket at(Path socket) {
        return () -> new Opened() {
            @Override
            public Path path() {
                return socket;
            }

            @Override
            public void close() {}
        };
    }
}
