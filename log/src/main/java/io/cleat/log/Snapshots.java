package io.cleat.log;

import io.cleat.base.Threads;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says when a snapshot is due and writes it, on a thread of its own.
 *
 * <p>The counters belong to the applying thread; a snapshot that is being written keeps the next one from beginning.
 */
final class Snapshots {
    private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);

    /** So many files of the log at a start make a snapshot due, however little they hold. */
    private static final int MOST_SEGMENTS = 64;

    private final LogSettings settings;
    private final Threads threads;
    private final SimpleStateMachineStorage storage;
    private final Consumer<SingleFileSnapshotInfo> durable;
    private final AtomicBoolean isWriting = new AtomicBoolean();
    private volatile @Nullable Thread writer;
    private int entries;
    private long bytes;

    /** @param durable told each snapshot once it is safe on disk */
    Snapshots(
            LogSettings settings,
            Threads threads,
            SimpleStateMachineStorage storage,
            Consumer<SingleFileSnapshotInfo> durable) {
        this.settings = settings;
        this.threads = threads;
        this.storage = storage;
        this.durable = durable;
    }

    /**
     * The log has been opened. Each opening begins another file of it, which only a snapshot lets go: a server that is
     * restarted often, and has little to do, would keep them all.
     *
     * @param segments how many files of it there are
     */
    void opened(int segments) {
        entries += (int) ((long) settings.snapshotEntries() * segments / MOST_SEGMENTS);
    }

    /** Counts an applied entry of {@code size} bytes; true when a snapshot is due. */
    boolean isDueAfter(int size) {
        entries++;
        bytes += size;
        return entries >= settings.snapshotEntries() || bytes >= settings.snapshotBytes();
    }

    /** Begins to write {@code image}, which is that of {@code last}, unless one is being written. */
    void begin(TermIndex last, LogApplier.Image image) {
        if (!isWriting.compareAndSet(false, true)) {
            return;
        }
        entries = 0;
        bytes = 0;
        writer = threads.vitalWork("log/snapshot", () -> run(last, image));
    }

    /** Waits for a snapshot that is being written. */
    void close() throws InterruptedException {
        Thread writing = writer;
        if (writing != null) {
            writing.join();
        }
    }

    private void run(TermIndex last, LogApplier.Image image) {
        try {
            durable.accept(write(last, image));
        } catch (IOException failed) {
            LOG.warn(
                    "The snapshot of the log at index {} failed ({}); the log grows until one"
                            + " succeeds. The next try is with the next one due.",
                    last.getIndex(),
                    failed.toString());
        } finally {
            isWriting.set(false);
        }
    }

    private SingleFileSnapshotInfo write(TermIndex last, LogApplier.Image image) throws IOException {
        File file = storage.getSnapshotFile(last.getTerm(), last.getIndex());
        Path path = file.toPath();
        Path directory = Objects.requireNonNull(path.getParent());
        Path unfinished = directory.resolve(path.getFileName() + ".tmp");
        MessageDigest digest = newDigest();
        try (FileOutputStream raw = new FileOutputStream(unfinished.toFile());
                OutputStream to = new BufferedOutputStream(new DigestOutputStream(raw, digest), 1 << 16)) {
            image.writeTo(to);
            to.flush();
            raw.getChannel().force(true);
        } catch (IOException failed) {
            Files.deleteIfExists(unfinished);
            throw failed;
        }
        // The sum first: a snapshot file then never stands without it.
        MD5Hash sum = MD5Hash.newInstance(digest.digest());
        MD5FileUtil.saveMD5File(file, sum);
        Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
        LogIdentity.syncDirectory(directory);
        SingleFileSnapshotInfo snapshot = new SingleFileSnapshotInfo(new FileInfo(path, sum), last);
        storage.updateLatestSnapshot(snapshot);
        return snapshot;
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("MD5"); // Ratis' choice; against decay, not attack
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every JDK has MD5", absent);
        }
    }
}
