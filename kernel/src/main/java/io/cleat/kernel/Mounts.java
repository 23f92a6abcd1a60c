package io.cleat.kernel;

import io.cleat.base.KernelTrouble;
import java.nio.file.Path;
import java.util.Set;

/**
 * The port for mounting, for processes other than the agent and for paths that are not under a volume root; those go
 * through {@link Paths}. Calls block until the kernel answers.
 *
 * <p>Paths are absolute and without links.
 */
public interface Mounts {
    /** How mounts spread from and to a mount (mount_namespaces(7)). */
    enum Spread {
        SHARED,
        SLAVE,
        PRIVATE
    }

    /** Options of a mount that the kernel knows by number. */
    enum Flag {
        READ_ONLY,
        NO_SUID,
        NO_DEVICES,
        NO_EXEC,
        NO_ACCESS_TIMES
    }

    /** The mounts as they are now; see {@link MountTable#readTwice()} before acting on an absence. */
    MountTable table() throws KernelTrouble;

    /**
     * Mounts a file system.
     *
     * @param source a device, or any word for a file system without one
     * @param options the file system's own, separated by commas; empty for none
     */
    void mount(String source, Path target, String fsType, Set<Flag> flags, String options) throws KernelTrouble;

    /** Makes {@code source}, a directory or a file, seen at {@code target} too, without mounts below. */
    void bind(Path source, Path target) throws KernelTrouble;

    /** As {@link #bind}, with the mounts below {@code source}. */
    void bindAll(Path source, Path target) throws KernelTrouble;

    /** Makes the mount at {@code target} read-only, keeping its other options; not those below it. */
    void remountReadOnly(Path target) throws KernelTrouble;

    /** Sets how the mount at {@code target} spreads; not those below it. */
    void spread(Path target, Spread spread) throws KernelTrouble;

    /**
     * Takes away the topmost mount at {@code target}, never following a link there.
     *
     * @return false when nothing was mounted there
     * @throws KernelTrouble with no effect while it is in use
     */
    boolean unmount(Path target) throws KernelTrouble;

    /**
     * As {@link #unmount}, though it is in use: nobody finds it any more, and it goes when its last user does. Only an
     * operator may order this: until then the file system is still written to.
     */
    boolean detach(Path target) throws KernelTrouble;

    /** The mounts of this process's namespace. */
    static Mounts linux() {
        return new LinuxMounts();
    }
}
