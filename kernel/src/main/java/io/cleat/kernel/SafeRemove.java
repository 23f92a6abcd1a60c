package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.time.Duration;
import java.util.List;

/**
 * The one place where more than one entry is removed: an allocation's directory, or a temporary one of our own.
 *
 * <p>Three things keep a volume's data from it: nothing is touched while any mount lies at or below the directory, in
 * two equal readings of the mount table; every single step is refused by the kernel if a mount has appeared on the way
 * to it meanwhile; and links are removed, never followed.
 *
 * <p>A path worker does it, with names as the kernel gives them and directories that it holds open: whoever filled the
 * directory chose names, depth and number.
 */
public final class SafeRemove {
    /** What one call to a worker does at most, so that it is seen to go on. */
    private static final int MOST_AT_ONCE = 20_000;

    private static final Duration WITHIN = Duration.ofSeconds(2);

    private final WorkerPaths paths;
    private final MountTable.Source mounts;

    /** @param key whose workers do it; see {@link PathWorkers} */
    public SafeRemove(PathWorkers workers, String key, MountTable.Source mounts) {
        this.paths = new WorkerPaths(workers, key);
        this.mounts = mounts;
    }

    /**
     * Removes a directory with all that is in it; it may be gone already.
     *
     * @param directory below its root, which is trusted, and is not removed
     * @throws KernelTrouble with no effect while a mount lies at or below it; with unknown effect if a part of it is
     *     gone
     */
    public void tree(Place directory, Deadline deadline) throws KernelTrouble, InterruptedException {
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
        remove(directory, deadline);
    }

    private void remove(Place directory, Deadline deadline) throws KernelTrouble, InterruptedException {
        long removed = 0;
        boolean hasMore = true;
        while (hasMore) {
            if (removed > 0 && deadline.isExpired()) {
                throw new KernelTrouble(
                        directory
                                + " has more entries than could be removed in the time there was; "
                                + removed
                                + " are gone, and the next try goes on with the others",
                        Effect.UNKNOWN,
                        Retry.SAME_CALL);
            }
            WorkerPaths.Cleared cleared = clear(directory, removed, deadline);
            removed += cleared.entries();
            hasMore = cleared.hasMore();
        }
    }

    private WorkerPaths.Cleared clear(Place directory, long removed, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        try {
            return paths.clear(directory, MOST_AT_ONCE, WITHIN, deadline);
        } catch (PathRefused refused) {
            if (removed == 0) {
                throw refused;
            }
            throw new KernelTrouble(refused.reason(), Effect.UNKNOWN, refused.retry(), refused);
        }
    }
}
