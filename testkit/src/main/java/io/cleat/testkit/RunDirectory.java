package io.cleat.testkit;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * The temporary directories of one JVM of tests: their names say whose they are, so that what is left on the machine
 * can be told from what other runs have there. They are short, since a socket's path has at most 107 bytes.
 */
public final class RunDirectory implements TempDirFactory {
    /** What the path of each begins with. */
    public static final String MARK = parent().resolve(name()) + "-";

    private static final AtomicLong LAST = new AtomicLong();

    private static String name() {
        return "ct" + ProcessHandle.current().pid();
    }

    private static Path parent() {
        try {
            return Path.of(System.getProperty("java.io.tmpdir", "/tmp")).toRealPath();
        } catch (IOException absent) {
            throw new IllegalStateException(absent);
        }
    }

    /** Makes one that only its owner can open; without links in its path. */
    public static Path make() throws IOException {
        while (true) {
            try {
                return Files.createDirectory(
                        Path.of(MARK + LAST.incrementAndGet()),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException older) {
                // Of an earlier process with this id.
            }
        }
    }

    /** How many this JVM has made. */
    static long made() {
        return LAST.get();
    }

    @Override
    public Path createTempDirectory(AnnotatedElementContext elementContext, ExtensionContext extensionContext)
            throws IOException {
        return make();
    }
}
