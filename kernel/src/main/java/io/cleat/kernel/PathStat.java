package io.cleat.kernel;

/**
 * What is at a path, a link itself and not what it points to.
 *
 * @param mode permission bits
 * @param size bytes
 * @param device of the file system it lies in
 * @param represents of a device file: the device it stands for
 * @param mountRoot whether something is mounted exactly here
 */
public record PathStat(
        Type type,
        int mode,
        long user,
        long group,
        long size,
        Mount.Device device,
        Mount.Device represents,
        long inode,
        MountRoot mountRoot) {
    /** The kinds of file. */
    public enum Type {
        DIRECTORY,
        FILE,
        LINK,
        BLOCK,
        CHARACTER,
        FIFO,
        SOCKET
    }

    /** Kernels before 5.8 do not say; the mount table does. */
    public enum MountRoot {
        YES,
        NO,
        UNKNOWN
    }

    public boolean isDirectory() {
        return type == Type.DIRECTORY;
    }
}
