package io.cleat.agent.task;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.IdSwap;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Published volumes in a directory of the agent's own, one for each mount of a task: an OCI runtime takes a path, and
 * what a plugin published at a path of its own it may change after any look.
 */
final class HeldVolumes {
    private static final int OWNER_ONLY = 0700;
    private static final int FILE = 0600;

    private static final Path MACHINE = Path.of("/");

    /** The option that the kernel tells of a mount with other ids. */
    private static final String OTHER_IDS = "idmapped";

    private final Path own;
    private final Path volumes;
    private final Function<String, Paths> paths;
    private final MountTable.Source mounts;

    /**
     * @param own the agent's alone
     * @param volumes the volume root
     * @param paths by key, so that what hangs for one plugin delays no other
     */
    HeldVolumes(Path own, Path volumes, Function<String, Paths> paths, MountTable.Source mounts) {
        this.own = own;
        this.volumes = volumes;
        this.paths = paths;
        this.mounts = mounts;
    }

    /** What one sees at a path: which file system, and which file or directory of it. */
    private record Shown(Mount.Device device, Path root) {
        static Optional<Shown> at(MountTable table, Path path) {
            return table.holding(path)
                    .map(mount -> new Shown(
                            mount.device(),
                            Path.of(mount.root())
                                    .resolve(Path.of(mount.target()).relativize(path))));
        }
    }

    Path at(Path task, int number) {
        return own.resolve(task).resolve(Integer.toString(number));
    }

    /** Whether something is mounted there, and not what is published now. */
    boolean isOther(VolumeBinds.Published volume, Path seen) throws KernelTrouble {
        MountTable table = mounts.whole();
        return table.at(seen).isPresent() && !isSame(table, volume, seen);
    }

    /** Whether one sees there what is published now; who is behind the mounts is not asked. */
    static boolean isSame(MountTable table, VolumeBinds.Published volume, Path seen) {
        return Shown.at(table, volume.path()).equals(Shown.at(table, seen));
    }

    /** @param task the task's directory, below that of all allocations */
    void hold(
            VolumeBinds.Published volume,
            Path task,
            int number,
            Mounts.Spread spread,
            Optional<IdSwap> ids,
            Deadline deadline)
            throws KernelTrouble, InterruptedException {
        Paths calls = paths(volume);
        Place target = Place.of(own, at(task, number));
        MountTable table = mounts.whole();
        Optional<Mount> there = table.at(target.path());
        Optional<IdSwap> swapped = volume.device() ? Optional.empty() : ids;
        if (there.isPresent()) {
            boolean isAsAsked = swapped.isEmpty() || there.get().options().contains(OTHER_IDS);
            if (isAsAsked && isSame(table, volume, target.path())) {
                return;
            }
            calls.hide(target, deadline);
        }
        make(calls, target, volume.device(), deadline);
        show(
                volume,
                target,
                new Paths.Showing(
                        volume.device(), false, volume.device() ? Mounts.Spread.PRIVATE : spread, true, swapped),
                deadline);
    }

    /** Gives what is held to a user, if it is a fresh directory of root's. */
    Paths.Whose adopt(VolumeBinds.Published volume, Path task, int number, long uid, long gid, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return paths(volume).adopt(Place.of(own, at(task, number)), uid, gid, deadline);
    }

    /** Why it cannot be held with other ids; empty if it can. */
    Optional<String> swapFault(VolumeBinds.Published volume, IdSwap ids, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return paths(volume).swapFault(source(volume), ids, deadline);
    }

    private static void make(Paths calls, Place target, boolean device, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        Place above =
                Place.of(target.root(), Objects.requireNonNull(target.path().getParent()));
        Optional<Place> stopped = calls.makeDirectories(above, OWNER_ONLY, deadline);
        if (stopped.isPresent()) {
            throw new KernelTrouble(
                    stopped.get() + " is no directory of this agent: look at it, and remove it by hand",
                    Effect.NONE,
                    Retry.AFTER_OBSERVING);
        }
        if (device) {
            calls.makeFile(target, FILE, deadline);
        } else {
            calls.makeDirectory(target, OWNER_ONLY, deadline);
        }
    }

    /** Shows a volume; what it is not any more is its plugin's fault, which is named. */
    void show(VolumeBinds.Published volume, Place target, Paths.Showing how, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        try {
            paths(volume).show(source(volume), target, how, deadline);
        } catch (KernelTrouble refused) {
            throw new KernelTrouble(
                    (volume.ofHost()
                                    ? "the host volume at " + volume.path() + " cannot be shown as "
                                    : "plugin \""
                                            + plugin(volume.path())
                                            + "\" published at "
                                            + volume.path()
                                            + " what cannot be shown as ")
                            + (volume.device() ? "a block device" : "a directory")
                            + ": "
                            + refused.reason(),
                    refused.effect(),
                    refused.retry(),
                    refused);
        }
    }

    /** Lets go of all that is held for a task, or for all tasks of an allocation. */
    void release(Path directory, Deadline deadline) throws KernelTrouble, InterruptedException {
        Paths calls = paths.apply("tasks");
        Place place = Place.of(own, own.resolve(directory));
        if (calls.stat(place, deadline).isEmpty()) {
            return;
        }
        for (String name : calls.list(place, deadline).sorted()) {
            if (directory.getNameCount() == 1) {
                release(directory.resolve(name), deadline);
            } else {
                letGo(calls, place.child(name), deadline);
            }
        }
        calls.removeDirectory(place, deadline);
    }

    private void letGo(Paths calls, Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        while (mounts.whole().at(place.path()).isPresent()) {
            calls.hide(place, deadline);
        }
        if (calls.stat(place, deadline).filter(PathStat::isDirectory).isPresent()) {
            calls.removeDirectory(place, deadline);
        } else {
            calls.removeFile(place, deadline);
        }
    }

    /** The calls on a volume. */
    private Paths paths(VolumeBinds.Published volume) throws KernelTrouble {
        return paths.apply("tasks/" + (volume.ofHost() ? ":" + volume.path() : plugin(volume.path())));
    }

    /** A directory of the machine is opened over no link either, from the topmost one on. */
    private Place source(VolumeBinds.Published volume) throws KernelTrouble {
        if (volume.ofHost()) {
            return Place.of(MACHINE, volume.path());
        }
        plugin(volume.path());
        return Place.of(volumes, volume.path());
    }

    /** Its directory's name, which is its id if that is a name. */
    private String plugin(Path published) throws KernelTrouble {
        List<Path> names = published.startsWith(volumes) && !published.equals(volumes)
                ? List.of(volumes.relativize(published).getName(0))
                : List.of();
        if (names.isEmpty()) {
            throw new KernelTrouble(
                    published + " does not lie below the volume root " + volumes, Effect.NONE, Retry.NEVER);
        }
        return names.getFirst().toString();
    }
}
