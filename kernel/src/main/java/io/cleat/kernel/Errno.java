package io.cleat.kernel;

/** Error numbers of Linux, the same on every processor this program runs on. */
final class Errno {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int ESRCH = 3;
    static final int EINTR = 4;
    static final int ENXIO = 6;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EBUSY = 16;
    static final int EEXIST = 17;
    static final int EXDEV = 18;
    static final int ENOTDIR = 20;
    static final int EISDIR = 21;
    static final int EINVAL = 22;
    static final int ENOTTY = 25;
    static final int ENOSYS = 38;
    static final int ENOTEMPTY = 39;
    static final int EOPNOTSUPP = 95;
    static final int ECONNABORTED = 103;
    static final int ENOTCONN = 107;

    private Errno() {}

    /** The name and number of an error, with what it usually means. */
    static String text(int errno) {
        return switch (errno) {
            case EPERM -> "EPERM (not permitted; this needs root)";
            case ENOENT -> "ENOENT (no such file or directory)";
            case ESRCH -> "ESRCH (no such process)";
            case EINTR -> "EINTR (interrupted)";
            case 5 -> "EIO (input/output error)";
            case ENXIO -> "ENXIO (no such device)";
            case EAGAIN -> "EAGAIN (held by another process)";
            case 12 -> "ENOMEM (out of memory)";
            case EACCES -> "EACCES (permission denied)";
            case 15 -> "ENOTBLK (a block device is needed)";
            case EBUSY -> "EBUSY (in use)";
            case EEXIST -> "EEXIST (exists already)";
            case EXDEV -> "EXDEV (crosses a mount)";
            case 19 -> "ENODEV (file system or device unknown to this kernel)";
            case ENOTDIR -> "ENOTDIR (not a directory)";
            case EISDIR -> "EISDIR (a directory)";
            case EINVAL -> "EINVAL (invalid argument)";
            case 24 -> "EMFILE (too many open files)";
            case ENOTTY -> "ENOTTY (not supported by this device or kernel)";
            case 27 -> "EFBIG (too large)";
            case 28 -> "ENOSPC (disk full)";
            case 30 -> "EROFS (read-only file system)";
            case 36 -> "ENAMETOOLONG (name too long)";
            case ENOSYS -> "ENOSYS (not supported by this kernel)";
            case ENOTEMPTY -> "ENOTEMPTY (directory not empty)";
            case 40 -> "ELOOP (a symbolic link where none may be)";
            case EOPNOTSUPP -> "EOPNOTSUPP (not supported by this file system)";
            case ECONNABORTED -> "ECONNABORTED (the connection was ended)";
            case ENOTCONN -> "ENOTCONN (who was behind the mount is gone)";
            case 116 -> "ESTALE (stale file handle)";
            case 117 -> "EUCLEAN (the file system needs repair)";
            default -> "error " + errno;
        };
    }
}
