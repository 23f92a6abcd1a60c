package io.cleat.server;

import io.cleat.base.InWork;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a server has to be told.
 *
 * @param dataDirectory made when absent; the log is in {@code log} below it, the note of what was
 *     acknowledged in {@code acknowledged}, the key of the secrets in {@code secrets.key}
 * @param memberName of this server among its peers
 * @param region such as {@code global}
 * @param datacenter such as {@code dc1}
 * @param inWork where it is noted what is planned
 */
public record ServerSettings(
        Path dataDirectory, String memberName, String region, String datacenter, InWork inWork) {
    /** The log's directory, in the data directory. */
    static final String LOG = "log";

    /** One whose work is not noted. */
    public ServerSettings(Path dataDirectory, String memberName, String region, String datacenter) {
        this(dataDirectory, memberName, region, datacenter, InWork.UNNOTED);
    }

    Path logDirectory() {
        return dataDirectory.resolve(LOG);
    }

    /** Whether a server has begun a log here, whatever is left of it. */
    boolean hasServedBefore() {
        return Files.exists(logDirectory());
    }

    Path acknowledgedFile() {
        return dataDirectory.resolve("acknowledged");
    }

    Path keyFile() {
        return dataDirectory.resolve("secrets.key");
    }
}
