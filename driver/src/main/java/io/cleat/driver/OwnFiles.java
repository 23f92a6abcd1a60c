package io.cleat.driver;

import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.kernel.DurableFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.TreeSet;

/** Directories that a driver alone writes to, on a local disk. */
public final class OwnFiles {
    private OwnFiles() {}

    /** The names in a directory, sorted; none if it is not there. */
    public static TreeSet<String> names(Path directory) throws DriverTrouble {
        TreeSet<String> names = new TreeSet<>();
        try (DirectoryStream<Path> each = Files.newDirectoryStream(directory)) {
            each.forEach(file -> names.add(file.getFileName().toString()));
        } catch (NoSuchFileException none) {
            return names;
        } catch (IOException | DirectoryIteratorException failed) {
            throw new DriverTrouble(
                    "the directory " + directory + " could not be listed: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
        return names;
    }

    /**
     * Writes a file anew.
     *
     * @param mode that it has then, such as {@code rw-r--r--}; until it is written it is its owner's
     */
    public static void write(Path file, String mode, byte[] bytes) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, bytes, StandardOpenOption.WRITE);
        // Not by the mode at its making, of which the agent's umask would take away.
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    /** Makes a directory for its owner only, and what lies above it, durably; it may exist. */
    public static void makeDirectory(Path directory) throws DriverTrouble {
        try {
            DurableFiles.makeDirectory(directory);
        } catch (DiskTrouble failed) {
            throw new DriverTrouble(failed.reason(), Effect.NONE, failed.retry(), failed);
        }
    }
}
