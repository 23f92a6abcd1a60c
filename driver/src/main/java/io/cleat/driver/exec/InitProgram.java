package io.cleat.driver.exec;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The program of a container's first process: a copy of the shim that may be executed and not read.
 *
 * <p>Of such a program Linux makes a process that is not dumpable from its first instruction on (execve(2), prctl(2)
 * under {@code PR_SET_DUMPABLE}); one that may be read is open to whoever runs as the same user until it says otherwise
 * itself. Used by any thread.
 */
final class InitProgram {
    private final Path shim;
    private final Path copy;

    /**
     * @param shim the shim program
     * @param directory its owner's alone, where the copy lies
     */
    InitProgram(Path shim, Path directory) {
        this.shim = shim;
        this.copy = directory.resolve("init");
    }

    /**
     * The copy, made now unless it is there; the shim itself where nothing in that directory may be executed
     * ({@code noexec}).
     */
    Path path() throws KernelTrouble {
        try {
            if (!isNewest()) {
                // Containers that run keep the one they have.
                Path made = Files.createTempFile(copy.getParent(), "init.", ".new");
                Files.copy(shim, made, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
                Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("--x--x--x"));
                Files.move(made, copy, StandardCopyOption.ATOMIC_MOVE);
            }
            return Files.isExecutable(copy) ? copy : shim;
        } catch (IOException failed) {
            throw new KernelTrouble(
                    "the shim " + shim + " could not be copied to " + copy + ": " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
    }

    private boolean isNewest() throws IOException {
        return Files.exists(copy, LinkOption.NOFOLLOW_LINKS)
                && Files.size(copy) == Files.size(shim)
                && Files.getLastModifiedTime(copy).equals(Files.getLastModifiedTime(shim));
    }
}
