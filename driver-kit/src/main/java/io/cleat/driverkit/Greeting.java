package io.cleat.driverkit;

import java.nio.file.Path;

/** What a plugin and whoever starts it say to each other before anything else. */
final class Greeting {
    /** Where sockets are wanted; the directory for temporary files unless set. */
    static final String DIRECTORY_VARIABLE = "PLUGIN_UNIX_SOCKET_DIR";

    private static final int CORE = 1;
    private static final int DRIVERS = 2;

    private Greeting() {}

    /** The first line of output: where it is spoken to, without a certificate. */
    static String line(Path socket) {
        return CORE + "|" + DRIVERS + "|unix|" + socket + "|grpc|\n";
    }
}
