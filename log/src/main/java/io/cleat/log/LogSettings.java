package io.cleat.log;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How a {@link RatisLog} is stored.
 *
 * @param directory made when absent; nothing else may be kept in it
 * @param clusterId the cluster it must belong to, a UUID; none takes what the directory says, or a new one
 * @param segmentBytes size of one file of the log; a file is removed as a whole once a snapshot holds its entries
 * @param snapshotEntries a snapshot is taken after that many entries, or before ({@link SnapshotPace})
 * @param snapshotBytes likewise after that many bytes of entries
 * @param soonBytes and after that many once the last one is a while ago
 * @param reserveBytes while the file system has less room than this, only what ends or frees something should be
 *     appended; below a quarter of it nothing is
 */
public record LogSettings(
        Path directory,
        Optional<String> clusterId,
        long segmentBytes,
        int snapshotEntries,
        long snapshotBytes,
        long soonBytes,
        long reserveBytes) {
    private static final long MIB = 1 << 20;

    /** The largest entry that {@link ReplicatedLog#append} takes, in bytes. */
    public static final int ENTRY_BYTES = 1 << 20;

    public LogSettings {
        if (segmentBytes < MIB || snapshotEntries < 1 || snapshotBytes < 1 || soonBytes < 1 || reserveBytes < 0) {
            throw new IllegalArgumentException("a log in segments of "
                    + segmentBytes
                    + " bytes, a snapshot every "
                    + snapshotEntries
                    + " entries or "
                    + snapshotBytes
                    + " bytes, soon after "
                    + soonBytes
                    + ", "
                    + reserveBytes
                    + " bytes kept free");
        }
    }

    /** Snapshots that do not depend on time. */
    public LogSettings(
            Path directory,
            Optional<String> clusterId,
            long segmentBytes,
            int snapshotEntries,
            long snapshotBytes,
            long reserveBytes) {
        this(directory, clusterId, segmentBytes, snapshotEntries, snapshotBytes, Long.MAX_VALUE, reserveBytes);
    }

    /** Below so much room every entry is refused, in bytes. */
    long lastBytes() {
        return reserveBytes / 4;
    }

    /**
     * Segments of 4 MiB, a snapshot of a small image every 20,000 entries or 16 MiB, or soon after 1 MiB, which a start
     * applies in a fraction of a second; 32 MiB kept free.
     */
    public static LogSettings in(Path directory) {
        return new LogSettings(directory, Optional.empty(), 4 * MIB, 20_000, 16 * MIB, MIB, 32 * MIB);
    }
}
