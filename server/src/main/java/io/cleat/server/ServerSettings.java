package io.cleat.server;

import java.nio.file.Path;

/**
 * What a server has to be told.
 *
 * @param dataDirectory made when absent; the log is in {@code log} below it, the key of the secrets
 *     in {@code secrets.key}
 * @param memberName of this server among its peers
 * @param region such as {@code global}
 * @param datacenter such as {@code dc1}
 */
public record ServerSettings(
        Path dataDirectory, String memberName, String region, String datacenter) {
    /** The log's directory, in the data directory. */
    static final String LOG = "log";

    Path logDirectory() {
        return dataDirectory.resolve(LOG);
    }

    Path keyFile() {
        return dataDirectory.resolve("secrets.key");
    }
}
