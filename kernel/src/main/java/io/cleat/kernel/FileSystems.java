package io.cleat.kernel;

import io.cleat.base.KernelTrouble;
import java.nio.file.Path;

/** The port for mounted file systems as wholes. */
public interface FileSystems {
    /**
     * What a file system holds, by statvfs(3).
     *
     * @param total bytes
     * @param available bytes that a user without privileges can still have
     * @param used bytes
     * @param inodes all of them; 0 where the file system makes them as it needs them
     * @param inodesFree those not in use
     */
    record Usage(long total, long available, long used, long inodes, long inodesFree) {}

    /** The usage of the file system that holds {@code path}. */
    Usage usage(Path path) throws KernelTrouble;

    /**
     * Writes what is pending and holds all writers until {@link #thaw} (ioctl FIFREEZE): the device below holds a whole
     * file system then.
     *
     * @return false when it was frozen already
     */
    boolean freeze(Path mountPoint) throws KernelTrouble;

    /**
     * Lets writers go on.
     *
     * @return false when it was not frozen
     */
    boolean thaw(Path mountPoint) throws KernelTrouble;

    /** The file systems of this machine. */
    static FileSystems linux() {
        return new LinuxFileSystems();
    }
}
