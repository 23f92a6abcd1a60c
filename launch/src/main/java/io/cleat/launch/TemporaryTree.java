package io.cleat.launch;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.MountTable;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Removes the data directory of an agent that was to leave nothing behind. */
final class TemporaryTree {
    private TemporaryTree() {}

    /**
     * Removes the directory unless something is still mounted in it.
     *
     * @return why it stays, if it does
     */
    static Optional<String> remove(Path directory) {
        try {
            if (!MountTable.readTwice().atOrBelow(directory.toRealPath()).isEmpty()) {
                return Optional.of(directory + " stays: something is still mounted in it");
            }
            Files.walkFileTree(directory, new Deleting());
            return Optional.empty();
        } catch (IOException | KernelTrouble e) {
            return Optional.of(directory + " stays: " + e);
        }
    }

    /** Links are deleted, not followed. */
    private static final class Deleting extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failed)
                throws IOException {
            if (failed != null) {
                throw failed;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
