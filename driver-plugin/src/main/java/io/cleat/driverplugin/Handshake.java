package io.cleat.driverplugin;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.VisibleText;
import io.cleat.driverschema.Cookie;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What such a program and whoever starts it say to each other before anything else. The program wants a word in its
 * environment, so that people who start it by hand are told what it is; its first line of output says how it is spoken
 * to.
 *
 * @param socket where it listens
 */
record Handshake(Path socket) {
    /** In the program's environment. */
    static final Map<String, String> WORDS = Map.of(
            Cookie.VARIABLE,
            Cookie.VALUE,
            "PLUGIN_PROTOCOL_VERSIONS",
            "2",
            "PLUGIN_MIN_PORT",
            "10000",
            "PLUGIN_MAX_PORT",
            "25000");

    /** How long a line may be that could still be one. */
    static final int LONGEST = 4 << 10;

    private static final int FIELDS = 5;

    /**
     * Reads the first line: {@code CORE|PROTOCOL|NETWORK|ADDRESS|KIND}, then fields that are not needed here.
     *
     * @throws DriverTrouble with the line and what was expected
     */
    static Handshake read(String line) throws DriverTrouble {
        List<String> fields = Arrays.asList(line.strip().split("\\|", -1));
        if (fields.size() < FIELDS) {
            throw wrong(
                    line,
                    "five fields with '|' between them; is this a driver plugin, and is its first"
                            + " output not something else?");
        }
        require(line, "the core protocol", fields.get(0), "1");
        require(line, "the protocol of drivers", fields.get(1), "2");
        require(line, "the network", fields.get(2), "unix");
        require(line, "the kind", fields.get(4), "grpc");
        Path socket = Path.of(fields.get(3));
        if (!socket.isAbsolute()) {
            throw wrong(line, "an absolute path of a socket");
        }
        return new Handshake(socket);
    }

    private static void require(String line, String what, String given, String expected) throws DriverTrouble {
        if (!given.equals(expected)) {
            throw wrong(line, what + " " + expected + " and not " + VisibleText.line(given));
        }
    }

    private static DriverTrouble wrong(String line, String expected) {
        String shown = VisibleText.line(line.length() > 200 ? line.substring(0, 200) : line);
        return new DriverTrouble(
                "the plugin's first line of output is '" + shown + "'; expected " + expected, Effect.NONE, Retry.NEVER);
    }
}
