package io.cleat.launch;

import io.cleat.api.LocalToken;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.http.AccessToken;
import io.cleat.kernel.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The token of the HTTP API over TCP as long as one agent runs: made anew at each start, so that one that was told to
 * whoever took the port of a dead agent opens nothing. It is in a file for the owner only, where the owner's commands
 * find it ({@link LocalToken}), and nowhere else: neither printed nor logged, in no argument and no environment.
 */
final class ServedToken implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServedToken.class);

    private final AccessToken token;
    private final Path file;
    private final Path link;

    private ServedToken(AccessToken token, Path file, Path link) {
        this.token = token;
        this.file = file;
        this.link = link;
    }

    /**
     * Makes one, and leaves it for the owner's commands.
     *
     * @param agents where the links of this machine's agents are; without a link there, commands must be given the
     *     token
     * @param port that the agent will listen on
     */
    static ServedToken make(DataDirectory data, Path agents, int port) throws DiskTrouble {
        AccessToken token = AccessToken.make();
        Path file = data.file(LocalToken.FILE);
        DurableFiles.write(file, (token.secret().reveal() + "\n").getBytes(StandardCharsets.US_ASCII));
        Path link = LocalToken.link(agents, port);
        try {
            DurableFiles.makeDirectory(agents);
            removeDead(agents);
            point(link, data.root());
        } catch (DiskTrouble unmarked) {
            LOG.warn("commands must be given the token in {}: {}", file, unmarked.reason());
        }
        return new ServedToken(token, file, link);
    }

    /** Links of agents that were killed, and whose data is gone. */
    private static void removeDead(Path agents) throws DiskTrouble {
        try (DirectoryStream<Path> links = Files.newDirectoryStream(agents)) {
            for (Path each : links) {
                if (!Files.exists(each)) {
                    Files.deleteIfExists(each);
                }
            }
        } catch (IOException unreadable) {
            throw new DiskTrouble(
                    "looking into " + agents + ": " + unreadable, Effect.NONE, Retry.SAME_CALL, unreadable);
        }
    }

    private static void point(Path link, Path root) throws DiskTrouble {
        try {
            Files.deleteIfExists(link);
            Files.createSymbolicLink(link, root);
        } catch (IOException failed) {
            throw new DiskTrouble("making the link " + link + ": " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }

    AccessToken token() {
        return token;
    }

    /** Where it is, for clients that do not find it by themselves. */
    Path file() {
        return file;
    }

    /** Takes the token and its link away. */
    @Override
    public void close() {
        remove(file);
        remove(link);
    }

    private static void remove(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException stays) {
            // The next agent makes another, and this one opens nothing any more.
            LOG.warn("{} stays: {}", path, stays.toString());
        }
    }
}
