package io.cleat.log;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.Retry;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.util.MD5FileUtil;
import org.apache.ratis.util.SizeInBytes;

/**
 * A log that no process has open, to be looked at. Nothing in it is changed; while it is looked at,
 * no process can open it.
 */
public final class StoredLog implements AutoCloseable {
    private static final SizeInBytes LARGEST = SizeInBytes.valueOf(2L * LogSettings.ENTRY_BYTES);

    private final Path directory;
    private final DirectoryLock lock;
    private final Path storage;

    /**
     * One entry.
     *
     * @param bytes as appended; none for an entry of the library's own
     */
    public record Stored(long index, long term, Optional<byte[]> bytes) {}

    /** The newest snapshot: all up to {@code index}, in {@code file}. */
    public record Image(long index, Path file) {}

    private StoredLog(Path directory, DirectoryLock lock, Path storage) {
        this.directory = directory;
        this.lock = lock;
        this.storage = storage;
    }

    /**
     * Takes the log in {@code directory}.
     *
     * @throws DiskTrouble there is none, or a process has it open
     */
    public static StoredLog open(Path directory) throws DiskTrouble {
        if (!Files.exists(directory.resolve(LogIdentity.FILE))) {
            throw new DiskTrouble(
                    directory + " holds no log: give the data directory of a server's agent",
                    Effect.NONE,
                    Retry.NEVER);
        }
        DirectoryLock lock = DirectoryLock.of(directory);
        try {
            LogIdentity identity = LogIdentity.of(directory, Optional.empty(), Ids.random());
            Path storage = directory.resolve(RatisLog.STORAGE).resolve(identity.cluster());
            return new StoredLog(directory, lock, storage);
        } catch (DiskTrouble unreadable) {
            lock.close();
            throw unreadable;
        }
    }

    /**
     * The newest snapshot.
     *
     * @throws DiskTrouble it does not fit its sum
     */
    public Optional<Image> newestSnapshot() throws DiskTrouble {
        Path images = storage.resolve("sm");
        if (!Files.isDirectory(images)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(images)) {
            Optional<Path> newest =
                    files.filter(
                                    file ->
                                            SimpleStateMachineStorage.SNAPSHOT_REGEX
                                                    .matcher(nameOf(file))
                                                    .matches())
                            .max(Comparator.comparingLong(StoredLog::indexOf));
            if (newest.isEmpty()) {
                return Optional.empty();
            }
            File file = newest.get().toFile();
            MD5FileUtil.verifySavedMD5(file, MD5FileUtil.computeMd5ForFile(file));
            return Optional.of(new Image(indexOf(newest.get()), newest.get()));
        } catch (IOException unreadable) {
            throw trouble("the snapshots in " + images, unreadable);
        }
    }

    private static String nameOf(Path file) {
        return Objects.requireNonNull(file.getFileName()).toString();
    }

    private static long indexOf(Path snapshot) {
        TermIndex at = SimpleStateMachineStorage.getTermIndexFromSnapshotFile(snapshot.toFile());
        return at.getIndex();
    }

    /**
     * Shows every entry, in order.
     *
     * @throws DiskTrouble one cannot be read, nor what follows it; those before it were shown
     */
    public void read(Consumer<Stored> reader) throws DiskTrouble {
        for (LogSegmentPath segment : segments()) {
            try {
                var _ =
                        LogSegment.readSegmentFile(
                                segment.getPath().toFile(),
                                segment.getStartEnd(),
                                LARGEST,
                                RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION,
                                null,
                                entry -> reader.accept(stored(entry)));
            } catch (IOException | RuntimeException unreadable) {
                throw trouble("the log's file " + segment.getPath(), unreadable);
            }
        }
    }

    private List<LogSegmentPath> segments() throws DiskTrouble {
        Path files = storage.resolve("current");
        try (Stream<Path> all = Files.list(files)) {
            return all.map(LogSegmentPath::matchLogSegment)
                    .filter(Objects::nonNull)
                    .sorted(Comparator.comparing(LogSegmentPath::getStartEnd))
                    .toList();
        } catch (IOException unreadable) {
            throw trouble(files.toString(), unreadable);
        }
    }

    private static Stored stored(LogEntryProto entry) {
        return new Stored(
                entry.getIndex(),
                entry.getTerm(),
                entry.hasStateMachineLogEntry()
                        ? Optional.of(entry.getStateMachineLogEntry().getLogData().toByteArray())
                        : Optional.empty());
    }

    private DiskTrouble trouble(String what, Exception unreadable) {
        return new DiskTrouble(
                "cannot read " + what + " of the log in " + directory + ": " + unreadable,
                Effect.NONE,
                Retry.NEVER,
                unreadable);
    }

    @Override
    public void close() {
        lock.close();
    }
}
