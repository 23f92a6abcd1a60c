package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.util.Optional;

/**
 * Moves files that nobody else knows yet to where a workload may make what it likes: by path workers, so that below a
 * place's root no link is ever followed. Any thread.
 */
public final class TreeMoves {
    private static final int DIRECTORY_MODE = 0755;

    private final WorkerPaths paths;

    TreeMoves(PathWorkers workers, String key) {
        this.paths = new WorkerPaths(workers, key);
    }

    /**
     * Gives a tree to its owner, by handle. No setuid bit stays, and no device arrives.
     *
     * @param from whose all of it is until then
     * @param uid whose it is to be; -1 for our own, as {@code gid}
     * @throws KernelTrouble if some of it is another's, or is no file, directory or link
     */
    public void own(Place tree, long from, int uid, int gid, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        paths.own(tree, from, uid, gid, deadline);
    }

    /**
     * Moves a file or a link to a name of its own; in the place of a file or link that is there. The directories above
     * the target are made.
     *
     * @throws KernelTrouble if a directory is there, or a link or file is on the way
     */
    public void file(Place from, Place to, Deadline deadline) throws KernelTrouble, InterruptedException {
        makeParents(to, deadline);
        move(from, to, deadline);
    }

    /**
     * Moves all that is in a directory into another one, which is made if it is not there. What is in both is replaced,
     * directories by what is in them.
     *
     * @throws KernelTrouble if a directory is to take the place of a file, or a file that of a directory, or a link or
     *     file is on the way
     */
    public void entries(Place from, Place to, Deadline deadline) throws KernelTrouble, InterruptedException {
        if (!to.below().isEmpty()) {
            makeParents(to, deadline);
            Optional<PathStat> there = paths.stat(to, deadline);
            if (there.isEmpty()) {
                // With the mode and owner it has.
                move(from, to, deadline);
                return;
            }
        }
        merge(from, to, deadline);
    }

    private void merge(Place from, Place to, Deadline deadline) throws KernelTrouble, InterruptedException {
        if (!to.below().isEmpty()) {
            paths.makeDirectory(to, DIRECTORY_MODE, deadline);
        }
        boolean hasMore = true;
        while (hasMore) {
            Paths.Names names = paths.list(from, deadline);
            for (String name : names.sorted()) {
                move(from.child(name), to.child(name), deadline);
            }
            hasMore = names.hasMore();
        }
    }

    private void move(Place from, Place to, Deadline deadline) throws KernelTrouble, InterruptedException {
        try {
            paths.move(from, to, deadline);
        } catch (PathRefused refused) {
            switch (refused.errno()) {
                // Only directories: one that is not empty is there, or it is another file system's.
                case Errno.ENOTEMPTY, Errno.EEXIST, Errno.EXDEV -> {
                    merge(from, to, deadline);
                    paths.removeDirectory(from, deadline);
                }
                case Errno.EISDIR -> throw taken(to, "a file", "a directory");
                case Errno.ENOTDIR -> throw taken(to, "a directory", "no directory");
                default -> throw refused;
            }
        }
    }

    private static KernelTrouble taken(Place to, String given, String there) {
        return new KernelTrouble(
                "\"" + to.below() + "\" is to be " + given + ", and " + there + " is there; choose another destination",
                Effect.UNKNOWN,
                Retry.NEVER);
    }

    private void makeParents(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        Place at = new Place(place.root(), "");
        String[] names = place.below().split("/", -1);
        for (int i = 0; i < names.length - 1; i++) {
            at = at.child(names[i]);
            paths.makeDirectory(at, DIRECTORY_MODE, deadline);
        }
    }
}
