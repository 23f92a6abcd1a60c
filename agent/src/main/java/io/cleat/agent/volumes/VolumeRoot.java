package io.cleat.agent.volumes;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.kernel.DurableFiles;
import io.cleat.kernel.Mount;
import io.cleat.kernel.Mounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The directory below which all volumes are mounted: a shared mount of its own, so that what a plugin mounts in it is
 * seen by the agent and its tasks, and the other way round, also where the machine's root is private.
 */
public final class VolumeRoot {
    private final Path path;
    private final Mounts mounts;

    private VolumeRoot(Path path, Mounts mounts) {
        this.path = path;
        this.mounts = mounts;
    }

    /**
     * Makes the directory and binds it onto itself, shared; what is so already, stays. Before anything is started that
     * uses it.
     */
    public static VolumeRoot prepare(Path directory, Mounts mounts) throws Trouble {
        DurableFiles.makeDirectory(directory);
        Path path = real(directory);
        if (mounts.table().at(path).isEmpty()) {
            mounts.bind(path, path);
        }
        Mount mount = at(path, mounts);
        if (!mount.propagation().isShared()) {
            mounts.spread(path, Mounts.Spread.SHARED);
        }
        if (!at(path, mounts).propagation().isShared()) {
            throw new KernelTrouble(
                    "the mount at "
                            + path
                            + " did not become shared, so volumes would not be seen by tasks; "
                            + "move the data directory to a file system that allows it",
                    Effect.UNKNOWN,
                    Retry.NEVER);
        }
        return new VolumeRoot(path, mounts);
    }

    /** Without links, as the mount table shows it. */
    public Path path() {
        return path;
    }

    /**
     * Takes the bind away, if it is ours and nothing is mounted below it. For an agent whose data directory goes with
     * it.
     *
     * @return false if it stays
     */
    public boolean release() throws KernelTrouble {
        List<Mount> there = mounts.table().atOrBelow(path);
        Path parent = Objects.requireNonNull(path.getParent());
        Optional<Mount> around = mounts.table().holding(parent);
        boolean ours = there.size() == 1
                && around.isPresent()
                && there.getFirst().device().equals(around.get().device());
        return ours && mounts.unmount(path);
    }

    private static Mount at(Path path, Mounts mounts) throws KernelTrouble {
        return mounts.table()
                .at(path)
                .orElseThrow(() -> new KernelTrouble(
                        path + " was bound onto itself and is not in the mount table",
                        Effect.UNKNOWN,
                        Retry.AFTER_OBSERVING));
    }

    private static Path real(Path directory) throws DiskTrouble {
        try {
            return directory.toRealPath();
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "finding the real path of " + directory + " failed: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
    }
}
