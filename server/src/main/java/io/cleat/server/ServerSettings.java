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
    Path logDirectory() {
        return dataDirectory.resolve("log");
    }

    Path keyFile() {
        return dataDirectory.resolve("secrets.key");
    }
}
