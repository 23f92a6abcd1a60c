package io.cleat.localplugin;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.LoopDevice;
import io.cleat.kernel.LoopDevices;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where a volume is mounted at one moment, read from the kernel and never remembered.
 *
 * @param table the mount table it was read from
 * @param loop the device of an image
 * @param mounts the mounts of the whole volume: of its data directory, of its file system, or of its device itself
 * @param parts the mounts of directories inside of it, which others made
 */
record Seen(MountTable table, Optional<LoopDevice> loop, List<Mount> mounts, List<Mount> parts) {
    Seen {
        mounts = List.copyOf(mounts);
        parts = List.copyOf(parts);
    }

    /** Looks. Two readings of the table were equal, so what is not seen is not there. */
    static Seen of(Pool pool, Volume volume, Mounts mounts, LoopDevices loops) throws KernelTrouble {
        MountTable table = MountTable.readTwice(mounts::table);
        Path content = pool.volumes().content(volume);
        if (!volume.type().isImage()) {
            return ofPath(table, Optional.empty(), content);
        }
        Optional<LoopDevice> loop = loops.find(content);
        if (loop.isEmpty()) {
            return new Seen(table, loop, List.of(), List.of());
        }
        return volume.type().isFileSystem()
                ? seen(table, loop, table.on(loop.get()), Path.of("/"))
                : ofPath(table, loop, loop.get().path());
    }

    /** The bind mounts of one directory or device node. */
    private static Seen ofPath(MountTable table, Optional<LoopDevice> loop, Path path) throws KernelTrouble {
        Mount below = holding(table, path);
        Path root = Path.of(below.root()).resolve(Path.of(below.target()).relativize(path));
        return seen(table, loop, table.of(below.device()), root);
    }

    private static Mount holding(MountTable table, Path path) throws KernelTrouble {
        return table.holding(path)
                .orElseThrow(() -> new KernelTrouble(
                        "the mount table shows nothing that holds " + path, Effect.NONE, Retry.SAME_CALL));
    }

    /** Of the mounts of one file system, those of the directory {@code root} and below it. */
    private static Seen seen(MountTable table, Optional<LoopDevice> loop, List<Mount> of, Path root) {
        return new Seen(
                table,
                loop,
                of.stream()
                        .filter(mount -> mount.root().equals(root.toString()))
                        .toList(),
                of.stream()
                        .filter(mount -> !mount.root().equals(root.toString()))
                        .filter(mount -> Path.of(mount.root()).startsWith(root))
                        .toList());
    }

    /** The volume's mount that one reaches at {@code path}. */
    Optional<Mount> at(Path path) {
        return table.at(path).filter(mounts::contains);
    }

    /**
     * Whether the volume is staged at {@code path}. A block volume is mounted nowhere then, so what is on file counts:
     * its device is attached when it is needed.
     */
    boolean isStagedAt(Path path, Volume volume, String node) {
        return volume.type() == VolumeType.BLOCK
                ? volume.uses()
                        .stagingOn(node)
                        .filter(s -> s.path().equals(path.toString()))
                        .isPresent()
                : at(path).isPresent();
    }

    /** The mount of something else that one reaches at {@code path}. */
    Optional<Mount> foreignAt(Path path) {
        return table.at(path).filter(mount -> !mounts.contains(mount));
    }

    /** Where the volume is mounted, except at {@code path}. */
    List<Mount> elsewhere(Path path) {
        return mounts.stream().filter(m -> !m.target().equals(path.toString())).toList();
    }

    /** As {@link #elsewhere}, with the mounts of its parts. */
    List<Mount> usesBeside(Path path) {
        return Stream.concat(elsewhere(path).stream(), parts.stream()).toList();
    }

    /** The targets of {@code mounts}, for messages. */
    static String targets(List<Mount> mounts) {
        return mounts.stream().map(Mount::target).distinct().collect(Collectors.joining(", "));
    }

    /** Refuses when something else is mounted at {@code path}. */
    void requireOwnOrNone(Path path, Volume volume) throws CallRefused {
        Optional<Mount> foreign = foreignAt(path);
        if (foreign.isPresent()) {
            throw CallRefused.tooSoon(path
                    + " carries a mount of "
                    + foreign.get().source()
                    + " ("
                    + foreign.get().fsType()
                    + "), which is not of volume "
                    + volume.id()
                    + "; nothing was touched");
        }
    }
}
