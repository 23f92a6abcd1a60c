package io.cleat.sim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file beside the server's log in which it notes what it has acknowledged, and a copy. */
final class SimNote {
    private final Path file;
    private byte[] kept = new byte[0];

    SimNote(Path directory) {
        this.file = directory.resolve("acknowledged");
        try {
            Files.createDirectories(directory);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    Path file() {
        return file;
    }

    /** Keeps what it says now. */
    void keep() {
        try {
            kept = Files.readAllBytes(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** What was kept is in its place. */
    void putBack() {
        try {
            Files.write(file, kept);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** It is gone. */
    void lose() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
