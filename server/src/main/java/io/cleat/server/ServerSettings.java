package io.cleat.server;

import io.cleat.base.InWork;
import io.cleat.log.Room;
import io.cleat.server.duty.Garbage;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a server has to be told.
 *
 * @param dataDirectory made when absent; the log is in {@code log} below it, the note of what was acknowledged in
 *     {@code acknowledged}, the key of the secrets in {@code secrets.key}
 * @param memberName of this server among its peers
 * @param region such as {@code global}
 * @param datacenter such as {@code dc1}
 * @param inWork where it is noted what is planned
 * @param garbage when what is over goes
 * @param room how the file system of the log is looked at
 */
public record ServerSettings(
        Path dataDirectory,
        String memberName,
        String region,
        String datacenter,
        InWork inWork,
        Garbage garbage,
        Room room) {
    /** The log's directory, in the data directory. */
    static final String LOG = "log";

    /** One whose work is not noted, and that keeps what is over as long as usual. */
    public ServerSettings(Path dataDirectory, String memberName, String region, String datacenter) {
        this(dataDirectory, memberName, region, datacenter, InWork.UNNOTED, Garbage.USUAL, Room.ofBytes());
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
