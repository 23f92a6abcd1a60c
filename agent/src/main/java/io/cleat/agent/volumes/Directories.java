package io.cleat.agent.volumes;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The directories below the volume root, and the files that devices are shown at: made one by one for their owner only,
 * removed empty or not at all. No link is followed, and what is not ours is refused by name.
 */
final class Directories {
    private static final int OWNER_ONLY = 0700;
    private static final int TRIES = 5;

    private final VolumeParts parts;

    Directories(VolumeParts parts) {
        this.parts = parts;
    }

    /** Whether a trouble is a no that asking again does not change. */
    static boolean isRefusal(KernelTrouble trouble) {
        return trouble.effect() == Effect.NONE && !(trouble.retry() instanceof Retry.SameCall);
    }

    /**
     * Makes a directory and those above it, or finds them made.
     *
     * @throws KernelTrouble with no effect if something else is in the way, or belongs to another
     */
    void make(String pluginId, Path directory) throws KernelTrouble, InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                makeAll(pluginId, directory);
                return;
            } catch (KernelTrouble trouble) {
                // Another volume's end may just have removed an empty directory on the way.
                if (tries == TRIES || !isRefusal(trouble) || !isCut(pluginId, directory)) {
                    throw trouble;
                }
            }
        }
    }

    /** What is there; empty if nothing is. */
    Optional<PathStat> look(String pluginId, Path path) throws KernelTrouble, InterruptedException {
        return paths(pluginId).stat(place(path), parts.forPath());
    }

    /**
     * Refuses what a plugin must not be sent to: a link, a file, what belongs to another user. Nothing there is fine.
     */
    void requireOurs(String pluginId, Path path) throws KernelTrouble, InterruptedException {
        Optional<PathStat> found = look(pluginId, path);
        if (found.isEmpty()) {
            return;
        }
        if (!found.get().isDirectory()) {
            throw refused(path + " is " + words(found.get()) + ", expected a directory of this agent");
        }
        requireOwner(pluginId, path, found.get());
    }

    /** As {@link #requireOurs(String, Path)}, of the target of a use. */
    void requireOurs(String pluginId, Use use) throws KernelTrouble, InterruptedException {
        if (use.isDevice()) {
            requireOursForDevice(pluginId, use.host());
        } else {
            requireOurs(pluginId, use.host());
        }
    }

    /** No link, and nobody else's. */
    private void requireOursForDevice(String pluginId, Path path) throws KernelTrouble, InterruptedException {
        Optional<PathStat> found = look(pluginId, path);
        if (found.isPresent() && found.get().type() == PathStat.Type.LINK) {
            throw refused(path + " is a link, expected a device or nothing");
        }
        // Where a device is shown the kernel tells of the device, whoever that belongs to.
        if (found.isPresent() && found.get().type() != PathStat.Type.BLOCK) {
            requireOwner(pluginId, path, found.get());
        }
    }

    private void requireOwner(String pluginId, Path path, PathStat found) throws KernelTrouble, InterruptedException {
        if (found.mountRoot() != PathStat.MountRoot.NO) {
            return;
        }
        long own = owner(pluginId);
        if (found.user() != own) {
            throw refused(path
                    + " belongs to user "
                    + found.user()
                    + ", expected user "
                    + own
                    + ", to whom the volume root belongs");
        }
    }

    /**
     * Removes an empty directory.
     *
     * @return why it stays; empty if it is gone
     */
    Optional<String> remove(String pluginId, Path directory) throws KernelTrouble, InterruptedException {
        return whyItStays(() -> paths(pluginId).removeDirectory(place(directory), parts.forPath()));
    }

    /**
     * Removes what a device was shown at, an empty file, or what a plugin took for one.
     *
     * @return why it stays; empty if it is gone
     */
    Optional<String> removeFile(String pluginId, Path file) throws KernelTrouble, InterruptedException {
        Optional<PathStat> found = look(pluginId, file);
        if (found.isPresent() && found.get().isDirectory()) {
            return remove(pluginId, file);
        }
        if (found.isPresent() && !isEmptyFile(found.get())) {
            return Optional.of(file + " is " + words(found.get()) + ", expected an empty file or nothing");
        }
        return whyItStays(() -> paths(pluginId).removeFile(place(file), parts.forPath()));
    }

    /** Removes a device file that is no mount. */
    void removeDevice(String pluginId, Path file) throws KernelTrouble, InterruptedException {
        paths(pluginId).removeFile(place(file), parts.forPath());
    }

    static boolean isEmptyFile(PathStat found) {
        return found.type() == PathStat.Type.FILE && found.size() == 0;
    }

    /** What kind of file it is, in words. */
    static String words(PathStat found) {
        return switch (found.type()) {
            case DIRECTORY -> "a directory";
            case FILE -> "a file of " + found.size() + " bytes";
            case LINK -> "a link";
            case BLOCK -> "a block device";
            case CHARACTER -> "a character device";
            case FIFO -> "a fifo";
            case SOCKET -> "a socket";
        };
    }

    /** Takes something away. */
    private interface Removing {
        void run() throws KernelTrouble, InterruptedException;
    }

    private static Optional<String> whyItStays(Removing removing) throws KernelTrouble, InterruptedException {
        try {
            removing.run();
            return Optional.empty();
        } catch (KernelTrouble trouble) {
            if (isRefusal(trouble)) {
                return Optional.of(trouble.reason());
            }
            throw trouble;
        }
    }

    /**
     * Removes the directories above {@code path} that are empty and that no volume in the journal needs; up to, not
     * including, {@code top}.
     */
    void removeAbove(String pluginId, Path path, Path top) throws KernelTrouble, InterruptedException {
        for (Path parent = path.getParent();
                parent != null && !parent.equals(top) && parent.startsWith(top);
                parent = parent.getParent()) {
            Path above = parent;
            boolean needed = parts.journal().volumes().stream()
                    .flatMap(VolumeRecord::neededPaths)
                    .anyMatch(used -> used.startsWith(above));
            if (needed || remove(pluginId, parent).isPresent()) {
                return;
            }
        }
    }

    /** Takes the topmost mount at the path away. */
    void unmount(String pluginId, Path path) throws KernelTrouble, InterruptedException {
        paths(pluginId).unmount(place(path), parts.forPath());
    }

    /** As {@link #unmount}, though somebody may still have it open, as one that is dead. */
    void detach(String pluginId, Path path) throws KernelTrouble, InterruptedException {
        paths(pluginId).detach(place(path), parts.forPath());
    }

    /**
     * Takes away all that is mounted there, though somebody may still have it open.
     *
     * @throws KernelTrouble also if there is more than a plugin may have of mounts
     */
    void detachAll(String pluginId, Path path) throws KernelTrouble, InterruptedException {
        for (int i = 0; i < SurplusMounts.MOST_PER_PLUGIN; i++) {
            if (!paths(pluginId).detach(place(path), parts.forPath())) {
                return;
            }
        }
        throw new KernelTrouble(
                SurplusMounts.MOST_PER_PLUGIN + " mounts at " + path + " were detached, and some stay",
                Effect.UNKNOWN,
                Retry.SAME_CALL);
    }

    private void makeAll(String pluginId, Path directory) throws KernelTrouble, InterruptedException {
        Optional<Place> stopped = paths(pluginId).makeDirectories(place(directory), OWNER_ONLY, parts.forPath());
        if (stopped.isPresent()) {
            requireOurs(pluginId, stopped.get().path());
            throw new KernelTrouble(
                    stopped.get() + " has changed while directories were made there", Effect.NONE, Retry.SAME_CALL);
        }
    }

    private boolean isCut(String pluginId, Path directory) throws KernelTrouble, InterruptedException {
        Path at = parts.root();
        for (Path name : parts.root().relativize(directory)) {
            at = at.resolve(name);
            Optional<PathStat> found = look(pluginId, at);
            if (found.isEmpty()) {
                return true;
            }
            if (!found.get().isDirectory()) {
                return false;
            }
        }
        return false;
    }

    private long owner(String pluginId) throws KernelTrouble, InterruptedException {
        return look(pluginId, parts.root())
                .orElseThrow(() -> refused("the volume root " + parts.root() + " is not there"))
                .user();
    }

    private Paths paths(String pluginId) {
        return parts.paths().plugin(pluginId);
    }

    private Place place(Path path) {
        return Place.of(parts.root(), path);
    }

    private static KernelTrouble refused(String what) {
        return new KernelTrouble(
                what + ". It was not touched: look at it, and remove it by hand", Effect.NONE, Retry.NEVER);
    }
}
