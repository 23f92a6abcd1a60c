package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.util.List;

/**
 * The one place where more than one entry is removed: an allocation's directory, or a temporary one
 * of our own.
 *
 * <p>Three things keep a volume's data from it: nothing is touched while any mount lies at or below
 * the directory, in two equal readings of the mount table; every single step is refused by the
 * kernel if a mount has appeared on the way to it meanwhile; and links are removed, never followed.
 */
public final class SafeRemove {
    private static final int MOST_DEPTH = 256;

    private final WorkerPaths paths;
    private final MountTable.Source mounts;

    /**
     * @param key whose workers do it; see {@link PathWorkers}
     */
    public SafeRemove(PathWorkers workers, String key, MountTable.Source mounts) {
        this.paths = new WorkerPaths(workers, key);
        this.mounts = mounts;
    }

    /**
     * Removes a directory with all that is in it; it may be gone already.
     *
     * @param directory below its root, which is trusted, and is not removed
     * @throws KernelTrouble with no effect while a mount lies at or below it; with unknown effect
     *     if a part of it is gone
     */
    public void tree(Place directory, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        if (directory.below().isEmpty()) {
            throw new IllegalArgumentException(
                    directory + " is the root of what may be removed, not a directory below it");
        }
        List<Mount> there = mounts.whole().atOrBelow(directory.path());
        if (!there.isEmpty()) {
            throw new KernelTrouble(
                    directory
                            + " is kept: "
                            + there.getFirst().target()
                            + " is mounted there and must be unmounted first",
                    Effect.NONE,
                    Retry.AFTER_OBSERVING);
        }
        remove(directory, 0, deadline);
    }

    private void remove(Place entry, int depth, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        if (depth > MOST_DEPTH) {
            throw new KernelTrouble(
                    entry + " lies deeper than " + MOST_DEPTH + " directories; remove it by hand",
                    Effect.UNKNOWN,
                    Retry.NEVER);
        }
        if (!isDirectory(entry, deadline)) {
            return;
        }
        for (String name : paths.list(entry, true, deadline)) {
            remove(entry.child(name), depth + 1, deadline);
        }
        paths.removeDirectory(entry, true, deadline);
    }

    /** Removes what is no directory, which most entries are not. */
    private boolean isDirectory(Place entry, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        try {
            paths.removeFile(entry, true, deadline);
            return false;
        } catch (PathRefused refused) {
            if (refused.errno() == Errno.EISDIR) {
                return true;
            }
            throw refused;
        }
    }
}
