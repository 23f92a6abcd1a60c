package io.cleat.server;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.SummedText;
import io.cleat.server.commit.Applied;
import io.cleat.server.commit.AppliedListener;
import io.cleat.server.commit.Past;
import io.cleat.state.ClusterState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where what was acknowledged ends, in a second place beside the log: of a log whose end was cut off, taken away or put
 * back from a copy nothing else on the machine can tell.
 *
 * <p>A file of fixed length: four lines, the last one a checksum of the others. It is written over after each entry
 * that was applied, and so after the flush that made it durable; it has no flush of its own but at the end, so after a
 * power cut it may say less than was acknowledged, and never more.
 *
 * <p>Written by the thread that applies; asked by that of a reign.
 */
final class Acknowledged implements AppliedListener<ClusterState>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Acknowledged.class);
    private static final int VERSION = 1;
    private static final String UNKNOWN =
            "whether the end of the log is what was acknowledged last is not known; nodes that have"
                    + " acted on more put the cluster into recovery";
    private static final String MAGIC = "cleat-acknowledged ";
    private static final int REIGN_WIDTH = 64;
    private static final int VERSION_WIDTH = 20;

    private final Path file;
    private final @Nullable FileChannel channel;
    private final Optional<Mark> found;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean isFollowing;
    // Guarded by the lock, which is held while the file is written, so that the newest is last.
    private long noted = -1;
    private boolean isFaulty;

    /**
     * @param version of the newest decision
     * @param reign the reign that was open with it
     */
    record Mark(long version, String reign) {}

    private Acknowledged(Path file, @Nullable FileChannel channel, Optional<Mark> found) {
        this.file = file;
        this.channel = channel;
        this.found = found;
    }

    /** Of a log that is in no file. */
    static Acknowledged none() {
        return new Acknowledged(Path.of(""), null, Optional.empty());
    }

    /**
     * Opens the file, or makes it. What it says and cannot be read is told, and known no more; so is what it said, if
     * it is gone.
     *
     * @param isExpected whether a server has served here before
     * @throws DiskTrouble if it cannot be read or made, or is of a newer program
     */
    static Acknowledged in(Path file, boolean isExpected) throws DiskTrouble {
        try {
            if (isExpected && Files.notExists(file)) {
                LOG.warn("{} is gone: {}", file, UNKNOWN);
            }
            Optional<Mark> found = Files.notExists(file) ? Optional.empty() : read(file);
            FileChannel channel = FileChannel.open(
                    file,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            return new Acknowledged(file, channel, found);
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "what was acknowledged, " + file + ", cannot be read or written: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
    }

    private static Optional<Mark> read(Path file) throws IOException, DiskTrouble {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        List<String> lines = text.lines().toList();
        String first = lines.isEmpty() ? "" : lines.getFirst();
        if (SummedText.isWhole(text) && first.startsWith(MAGIC)) {
            if (!first.equals(MAGIC + VERSION)) {
                throw new DiskTrouble(
                        file
                                + " begins with '"
                                + first
                                + "', expected '"
                                + MAGIC
                                + VERSION
                                + "': it was made by another version of this program",
                        Effect.NONE,
                        Retry.NEVER);
            }
            return Optional.of(new Mark(
                    Long.parseLong(lines.get(1).substring("version ".length())),
                    lines.get(2).substring("reign ".length()).strip()));
        }
        LOG.warn("{} is damaged: {}", file, UNKNOWN);
        return Optional.empty();
    }

    /**
     * What was acknowledged by an earlier process and is not in the log, all of which is applied. Nothing once
     * {@link #follow} was called.
     */
    Optional<Mark> lost(Applied<ClusterState> now) {
        return isFollowing
                ? Optional.empty()
                : found.filter(mark -> now.past(mark.version(), mark.reign()) != Past.SAME);
    }

    /** From now on, what is applied is what was acknowledged: also if that is less than before. */
    void follow(Applied<ClusterState> now) {
        isFollowing = true;
        note(now);
    }

    @Override
    public void applied(Applied<ClusterState> before, Applied<ClusterState> after) {
        note(after);
    }

    @Override
    public void installed(Applied<ClusterState> after) {
        note(after);
    }

    private void note(Applied<ClusterState> now) {
        FileChannel open = channel;
        if (open == null || !isFollowing) {
            return;
        }
        lock.lock();
        try {
            if (now.version() > noted) {
                noted = now.version();
                ByteBuffer left = ByteBuffer.wrap(text(now).getBytes(StandardCharsets.US_ASCII));
                int length = left.remaining();
                for (int at = 0; left.hasRemaining(); ) {
                    at += open.write(left, at);
                }
                // What was damaged may be longer.
                if (open.size() > length) {
                    open.truncate(length);
                }
                isFaulty = false;
            }
        } catch (IOException failed) {
            if (!isFaulty) {
                LOG.warn("{} does not say any more what was acknowledged: {}", file, failed.toString());
            }
            isFaulty = true;
        } finally {
            lock.unlock();
        }
    }

    private static String text(Applied<ClusterState> now) {
        String version = Long.toString(now.version());
        String reign = now.reign();
        return SummedText.with(MAGIC
                + VERSION
                + "\nversion "
                + "0".repeat(VERSION_WIDTH - version.length())
                + version
                + "\nreign "
                + reign
                + " ".repeat(Math.max(0, REIGN_WIDTH - reign.length()))
                + "\n");
    }

    @Override
    public void close() {
        FileChannel open = channel;
        if (open == null) {
            return;
        }
        try (open) {
            open.force(true);
        } catch (IOException failed) {
            LOG.warn("{} may say less than was acknowledged: {}", file, failed.toString());
        }
    }
}
