package io.cleat.log;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;

/**
 * Where the log library keeps what: {@code current/} has the records and its own files, {@code sm/} the snapshots.
 *
 * @param storage of one cluster
 */
record StoredFiles(Path storage) {
    /**
     * A file of records.
     *
     * @param library as the library knows it
     * @param end the last entry; -1 while the file is open
     */
    record Records(LogSegmentPath library, long start, long end) {
        private static final String OPEN = "log_inprogress_";
        private static final String CLOSED = "log_";

        private static Records of(LogSegmentPath library) {
            String name =
                    Objects.requireNonNull(library.getPath().getFileName()).toString();
            if (name.startsWith(OPEN)) {
                return new Records(library, Long.parseLong(name.substring(OPEN.length())), -1);
            }
            int dash = name.indexOf('-');
            return new Records(
                    library,
                    Long.parseLong(name.substring(CLOSED.length(), dash)),
                    Long.parseLong(name.substring(dash + 1)));
        }

        Path path() {
            return library.getPath();
        }

        boolean isOpen() {
            return end < 0;
        }
    }

    static StoredFiles of(Path directory, LogIdentity identity) {
        return new StoredFiles(directory.resolve(RatisLog.STORAGE).resolve(identity.cluster()));
    }

    Path current() {
        return storage.resolve("current");
    }

    /** A file's name below the storage. */
    String name(Path file) {
        return storage.relativize(file).toString();
    }

    /** The files of records, by the entry that each begins with. */
    List<Records> segments() throws DiskTrouble {
        return list(
                current(),
                all -> all.map(LogSegmentPath::matchLogSegment)
                        .filter(Objects::nonNull)
                        .map(Records::of)
                        .sorted(Comparator.comparingLong(Records::start))
                        .toList());
    }

    /** The newest snapshot, read or not. */
    Optional<StoredLog.Image> newestSnapshot() throws DiskTrouble {
        return list(
                        storage.resolve("sm"),
                        all -> all.filter(StoredFiles::isSnapshot)
                                .map(file -> new StoredLog.Image(indexOf(file), file))
                                .sorted(Comparator.comparingLong(StoredLog.Image::index)
                                        .reversed())
                                .limit(1)
                                .toList())
                .stream()
                .findFirst();
    }

    private static boolean isSnapshot(Path file) {
        return SimpleStateMachineStorage.SNAPSHOT_REGEX
                .matcher(Objects.requireNonNull(file.getFileName()).toString())
                .matches();
    }

    private static long indexOf(Path snapshot) {
        return SimpleStateMachineStorage.getTermIndexFromSnapshotFile(snapshot.toFile())
                .getIndex();
    }

    /** What is in a directory. */
    private interface Listing<T> {
        List<T> of(Stream<Path> all);
    }

    private static <T> List<T> list(Path directory, Listing<T> listing) throws DiskTrouble {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(directory)) {
            return listing.of(all);
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "cannot look for the log in " + directory + ": " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }
}
