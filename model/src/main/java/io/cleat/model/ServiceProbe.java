package io.cleat.model;

import io.cleat.base.Ordered;
import java.util.List;
import java.util.Map;

/** What a check does. */
public sealed interface ServiceProbe {
    /** A connection to the port is made, and closed. */
    record Tcp() implements ServiceProbe {}

    /**
     * A request is sent to the port. An answer of 200 to 399 is a success, 429 a warning; no redirect is followed.
     *
     * @param path with its query
     * @param isSecure whether it is HTTPS
     * @param skipsVerification whether any certificate will do
     * @param headers by name
     */
    record Http(
            String method,
            String path,
            boolean isSecure,
            boolean skipsVerification,
            Map<String, List<String>> headers,
            String body)
            implements ServiceProbe {
        public Http {
            headers = Ordered.copyOf(headers);
        }
    }

    /** A command is run in the task: exit code 0 is a success, 1 a warning. */
    record Script(String command, List<String> args) implements ServiceProbe {
        public Script {
            args = List.copyOf(args);
        }
    }
}
