package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * Reads the pool's small files. What is absent is told from what cannot be read: taking the second for the first would
 * let something be made or cleared that is there.
 */
final class Records {
    /** Far above any that is written; what is bigger is something else, and may fill the memory. */
    static final int MOST_BYTES = 4 << 20;

    private Records() {}

    /**
     * The bytes of {@code file}; empty when it is absent.
     *
     * @throws RecordDamaged when it is there and cannot be one of ours, or cannot be read
     */
    static Optional<byte[]> read(Path file) throws RecordDamaged {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            if (found.isDirectory()) {
                throw new RecordDamaged(file + " is a directory, and a file is expected");
            }
            if (!found.isRegularFile()) {
                // Reading a pipe would wait for ever.
                throw new RecordDamaged(file + " is no plain file");
            }
            if (found.size() > MOST_BYTES) {
                throw new RecordDamaged(
                        file + " has " + found.size() + " bytes, and the plugin writes no more than " + MOST_BYTES);
            }
            try (InputStream bytes = Files.newInputStream(file)) {
                return Optional.of(bytes.readNBytes(MOST_BYTES));
            }
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException failed) {
            throw new RecordDamaged(file + " cannot be read: " + failed);
        }
    }

    /** Whether something is at {@code path}, surely. */
    static boolean isThere(Path path) throws DiskTrouble {
        try {
            Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return true;
        } catch (NoSuchFileException absent) {
            return false;
        } catch (IOException failed) {
            throw new DiskTrouble("looking at " + path + " failed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }
}
