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
 * @param mounts the mounts of the whole volume: of its data directory, or of its file system
 * @param parts the mounts of directories inside of it, which others made
 */
record Seen(MountTable table, List<Mount> mounts, List<Mount> parts) {
    Seen {
        mounts = List.copyOf(mounts);
        parts = List.copyOf(parts);
    }

    /** Looks. Two readings of the table were equal, so what is not seen is not there. */
    static Seen of(Pool pool, Volume volume, Mounts mounts, LoopDevices loops)
            throws KernelTrouble {
        MountTable table = MountTable.readTwice(mounts::table);
        Path content = pool.content(volume);
        return switch (volume.type()) {
            case DIRECTORY -> {
                Mount below = holding(table, content);
                Path root =
                        Path.of(below.root()).resolve(Path.of(below.target()).relativize(content));
                yield seen(table, table.of(below.device()), root);
            }
            case EXT4 -> {
                Optional<LoopDevice> loop = loops.find(content);
                yield seen(
                        table,
                        loop.map(found -> table.of(found.device())).orElse(List.of()),
                        Path.of("/"));
            }
        };
    }

    private static Mount holding(MountTable table, Path path) throws KernelTrouble {
        return table.holding(path)
                .orElseThrow(
                        () ->
                                new KernelTrouble(
                                        "the mount table shows nothing that holds " + path,
                                        Effect.NONE,
                                        Retry.SAME_CALL));
    }

    /** Of the mounts of one file system, those of the directory {@code root} and below it. */
    private static Seen seen(MountTable table, List<Mount> of, Path root) {
        return new Seen(
                table,
                of.stream().filter(mount -> mount.root().equals(root.toString())).toList(),
                of.stream()
                        .filter(mount -> !mount.root().equals(root.toString()))
                        .filter(mount -> Path.of(mount.root()).startsWith(root))
                        .toList());
    }

    /** The volume's mount that one reaches at {@code path}. */
    Optional<Mount> at(Path path) {
        return table.at(path).filter(mounts::contains);
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
            throw CallRefused.tooSoon(
                    path
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
