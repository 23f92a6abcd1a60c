package io.cleat.kernel;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/**
 * Makes the files of a tree that are neither files, directories nor links. What lies above them is trusted; nothing
 * that is there already is touched.
 */
public final class SpecialFiles {
    private static final int S_IFIFO = 0010000;
    private static final int S_IFCHR = 0020000;

    private SpecialFiles() {}

    /**
     * What in an upper layer says that a name of the lower ones is gone (overlayfs, "whiteouts"): a character device
     * 0/0, which from Linux 5.8 takes no privilege to make.
     */
    public static void whiteout(Path path) throws IOException {
        make(path, S_IFCHR);
    }

    /** @param mode permission bits, of which the process's umask takes away */
    public static void fifo(Path path, int mode) throws IOException {
        make(path, S_IFIFO | (mode & 0777));
    }

    private static void make(Path path, int mode) throws IOException {
        int result = Libc.mknod(path.toString(), mode);
        if (result == -Errno.EEXIST) {
            throw new FileAlreadyExistsException(path.toString());
        }
        if (result < 0) {
            throw new IOException(path + ": " + Errno.text(-result));
        }
    }
}
