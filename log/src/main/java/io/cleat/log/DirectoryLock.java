package io.cleat.log;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a second process, or a second log of this one, out of a directory. Ratis has a lock too, but takes seconds to
 * say so. The kernel frees it when the process ends, however it ends.
 */
final class DirectoryLock {
    static final String FILE = "lock";

    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    static DirectoryLock of(Path directory) throws DiskTrouble {
        Path file = directory.resolve(FILE);
        try {
            Files.createDirectories(directory);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel) != null) {
                return new DirectoryLock(channel);
            }
            channel.close();
        } catch (IOException failed) {
            throw new DiskTrouble("cannot lock " + file + ": " + failed, Effect.NONE, Retry.NEVER, failed);
        }
        throw new DiskTrouble(
                directory
                        + " is locked by another process that keeps its log there: stop it, or give another directory",
                Effect.NONE,
                Retry.NEVER);
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException ours) {
            return null;
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException failed) {
            RatisLog.LOG.warn("A lock file did not close: {}", failed.toString());
        }
    }
}
