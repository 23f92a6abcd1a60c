package io.cleat.log;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.util.MD5FileUtil;
import org.apache.ratis.util.SizeInBytes;

/**
 * A log that no process has open, to be looked at. Nothing in it is changed; while it is looked at, no process can open
 * it.
 */
public final class StoredLog implements AutoCloseable {
    private static final SizeInBytes LARGEST = SizeInBytes.valueOf(2L * LogSettings.ENTRY_BYTES);

    private final Path directory;
    private final DirectoryLock lock;
    private final StoredFiles files;

    /**
     * One entry.
     *
     * @param bytes as appended; none for an entry of the library's own
     */
    public record Stored(long index, long term, Optional<byte[]> bytes) {}

    /** The newest snapshot: all up to {@code index}, in {@code file}. */
    public record Image(long index, Path file) {
        /** @throws IOException it does not fit the sum beside it */
        void requireWhole() throws IOException {
            MD5FileUtil.verifySavedMD5(file.toFile(), MD5FileUtil.computeMd5ForFile(file.toFile()));
        }
    }

    private StoredLog(Path directory, DirectoryLock lock, StoredFiles files) {
        this.directory = directory;
        this.lock = lock;
        this.files = files;
    }

    /**
     * Takes the log in {@code directory}.
     *
     * @throws DiskTrouble there is none, or a process has it open
     */
    public static StoredLog open(Path directory) throws DiskTrouble {
        if (!Files.exists(directory.resolve(LogIdentity.FILE))) {
            throw new DiskTrouble(
                    directory + " holds no log: give the data directory of a server's agent", Effect.NONE, Retry.NEVER);
        }
        DirectoryLock lock = DirectoryLock.of(directory);
        try {
            LogIdentity identity = LogIdentity.of(directory, Optional.empty(), Ids.random());
            return new StoredLog(directory, lock, StoredFiles.of(directory, identity));
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
        Optional<Image> newest = files.newestSnapshot();
        if (newest.isPresent()) {
            try {
                newest.get().requireWhole();
            } catch (IOException unreadable) {
                throw trouble("the snapshot " + newest.get().file(), unreadable);
            }
        }
        return newest;
    }

    /** Reads all its files to their ends, and says of each what is wrong with it. */
    public List<CheckedFile> check() throws DiskTrouble {
        return LogCheck.of(files);
    }

    /**
     * Shows every entry, in order.
     *
     * @throws DiskTrouble one cannot be read, nor what follows it; those before it were shown
     */
    public void read(Consumer<Stored> reader) throws DiskTrouble {
        if (!Files.isDirectory(files.current())) {
            throw trouble("the records", new NoSuchFileException(files.current().toString()));
        }
        for (StoredFiles.Records segment : files.segments()) {
            try {
                var _ = LogSegment.readSegmentFile(
                        segment.path().toFile(),
                        segment.library().getStartEnd(),
                        LARGEST,
                        RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION,
                        null,
                        entry -> reader.accept(stored(entry)));
            } catch (IOException | RuntimeException unreadable) {
                throw trouble("the log's file " + segment.path(), unreadable);
            }
        }
    }

    private static Stored stored(LogEntryProto entry) {
        return new Stored(
                entry.getIndex(),
                entry.getTerm(),
                entry.hasStateMachineLogEntry()
                        ? Optional.of(
                                entry.getStateMachineLogEntry().getLogData().toByteArray())
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
