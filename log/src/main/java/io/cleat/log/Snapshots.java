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
 * Writes snapshots, each on a thread of its own, when {@link SnapshotPace} says so. One that is being written keeps the
 * next one from beginning.
 */
final class Snapshots {
    private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);

    private final SnapshotPace pace;
    private final Threads threads;
    private final SimpleStateMachineStorage storage;
    private final Consumer<SingleFileSnapshotInfo> durable;
    private final AtomicBoolean isWriting = new AtomicBoolean();
    private volatile @Nullable Thread writer;

    /** @param durable told each snapshot once it is safe on disk */
    Snapshots(
            SnapshotPace pace,
            Threads threads,
            SimpleStateMachineStorage storage,
            Consumer<SingleFileSnapshotInfo> durable) {
        this.pace = pace;
        this.threads = threads;
        this.storage = storage;
        this.durable = durable;
    }

    /** Begins to write {@code image}, which is that of {@code last}, unless one is being written. */
    void begin(TermIndex last, LogApplier.Image image) {
        if (!isWriting.compareAndSet(false, true)) {
            return;
        }
        pace.begin();
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
            pace.written(raw.getChannel().size());
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
