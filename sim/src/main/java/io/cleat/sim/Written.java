package io.cleat.sim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much is in a file.
 *
 * @param key which file it is: another one when it was replaced
 */
record Written(@Nullable Object key, long size) {
    static Written of(Path file) {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return new Written(found.fileKey(), found.size());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Whether something was added to it since. */
    boolean extend(Written before) {
        return size > before.size && Objects.equals(key, before.key);
    }

    /** Has only so many bytes left of a file, as a disk may whose power fails under a write. */
    static void tear(Path file, long kept) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(kept);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
