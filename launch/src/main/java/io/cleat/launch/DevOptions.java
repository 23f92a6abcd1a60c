package io.cleat.launch;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * What {@code cleat dev} was asked for.
 *
 * @param httpPort 0 for any free one
 * @param portGiven whether the port was asked for; one that was not may be replaced when taken
 * @param dataDir empty for a temporary one, which goes with the agent
 */
record DevOptions(int httpPort, boolean portGiven, String bind, Optional<Path> dataDir) {
    private static final int USUAL_PORT = 4646;
    private static final String LOOPBACK = "127.0.0.1";

    static final String USAGE =
            """
            Usage: cleat dev [options]

              Starts a server and a node in one process, with the bundled storage plugin as an
              ordinary job. Without -data-dir everything is temporary and goes when the agent ends.

              Any local user who can reach the HTTP port can become root through a raw_exec task:
              use it on machines that are yours alone.

            Options:
              -http-port=N     port of the HTTP API on 127.0.0.1; 4646, or a free one when taken
              -data-dir=DIR    keep all data in DIR; tasks then go on when the agent ends
              -bind=ADDRESS    listen on ADDRESS instead; needs -insecure-listen
              -insecure-listen allow an address that others can reach

            Examples:
              cleat dev
              cleat dev -data-dir=/var/lib/cleat -http-port=4700
            """;

    static DevOptions parse(List<String> args) throws Refused {
        int port = USUAL_PORT;
        boolean portGiven = false;
        String bind = LOOPBACK;
        boolean insecure = false;
        Optional<Path> dataDir = Optional.empty();
        for (Iterator<String> rest = args.iterator(); rest.hasNext(); ) {
            String arg = rest.next();
            String flag = arg.startsWith("--") ? arg.substring(1) : arg;
            int equals = flag.indexOf('=');
            String name = equals < 0 ? flag : flag.substring(0, equals);
            switch (name) {
                case "-http-port" -> {
                    port = port(value(flag, equals, rest));
                    portGiven = true;
                }
                case "-data-dir" -> dataDir = Optional.of(Path.of(value(flag, equals, rest)));
                case "-bind" -> bind = value(flag, equals, rest);
                case "-insecure-listen" -> insecure = true;
                default ->
                        throw refused(
                                "cleat dev knows no '"
                                        + arg
                                        + "'; expected -http-port, -data-dir, -bind or -insecure-listen");
            }
        }
        if (!insecure
                && !bind.equals(LOOPBACK)
                && !bind.equals("localhost")
                && !bind.equals("::1")) {
            throw refused(
                    "-bind="
                            + bind
                            + " would let others reach an API without access control, through which they"
                            + " can become root here; if that is what you want, add -insecure-listen");
        }
        return new DevOptions(port, portGiven, bind, dataDir);
    }

    private static String value(String flag, int equals, Iterator<String> rest) throws Refused {
        if (equals >= 0) {
            return flag.substring(equals + 1);
        }
        if (!rest.hasNext()) {
            throw refused(flag + " needs a value, such as " + flag + "=..");
        }
        return rest.next();
    }

    private static int port(String text) throws Refused {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException notANumber) {
            throw refused("-http-port=" + text + " is not a number; expected 0 to 65535");
        }
        throw refused("-http-port=" + text + " is out of range; expected 0 to 65535");
    }

    private static Refused refused(String why) {
        return new Refused(new Refusal.Malformed(why));
    }
}
