package io.cleat.api;

import io.cleat.base.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Where an agent of this machine leaves the token of its HTTP API for the commands of its owner: in its data directory,
 * for its owner only. A link per port, in a directory that only the owner can pass, says which data directory that is.
 */
public final class LocalToken {
    /** The token's file in a data directory. */
    public static final String FILE = "http.token";

    /** The links of this machine's agents. */
    public static final Path AGENTS = Path.of("/run/cleat");

    private static final Set<String> HERE = Set.of("127.0.0.1", "localhost", "[::1]");

    private LocalToken() {}

    /** The link of the agent that listens on a port. */
    public static Path link(Path agents, int port) {
        return agents.resolve(String.valueOf(port));
    }

    /**
     * The token of the agent at an address.
     *
     * @param agents where the links are
     * @return empty if the agent is not of this machine, wants none, or is another user's
     */
    public static Optional<Secret> find(Path agents, ServerAddress address) {
        if (!(address instanceof ServerAddress.Tcp(String host, int port)) || !HERE.contains(host)) {
            return Optional.empty();
        }
        try {
            String text = Files.readString(link(agents, port).resolve(FILE)).strip();
            return text.isEmpty() ? Optional.empty() : Optional.of(new Secret(text));
        } catch (IOException notOurs) {
            // The agent, if there is one, then says that it wants one.
            return Optional.empty();
        }
    }
}
