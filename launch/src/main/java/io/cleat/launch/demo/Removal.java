package io.cleat.launch.demo;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Removes the demo's own temporary directory: never across a mount, never through a link. */
record Removal(Path root) {
    void removeAll() throws CheckFailed {
        var mounts = OurMounts.below(root);
        CheckFailed.unless(
                mounts.isEmpty(), root.toString(), "no mount in it, to remove it", mounts);
        try {
            Object device = Files.getAttribute(root, "unix:dev");
            Files.walkFileTree(root, new Remover(device));
        } catch (IOException failed) {
            throw CheckFailed.unseen("removing " + root, failed);
        }
    }

    private static final class Remover extends SimpleFileVisitor<Path> {
        private final Object device;

        Remover(Object device) {
            this.device = device;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                throws IOException {
            // Though there was no mount a moment ago.
            if (!Files.getAttribute(directory, "unix:dev").equals(device)) {
                throw new IOException(directory + " is on another file system");
            }
            return FileVisitResult.CONTINUE;
        }

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
