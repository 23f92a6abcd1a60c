package io.cleat.agent.task;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.TextRule;
import io.cleat.base.Time;
import io.cleat.kernel.FileWrites.Owner;
import io.cleat.kernel.IdSwap;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import io.cleat.kernel.TextPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Bind mounts inside task directories, made by path workers: the directories are the workload's to write in, so no link
 * in them is followed.
 */
public final class BoundVolumes implements VolumeBinds {
    /** A bind takes milliseconds. While one hangs nobody says what the allocation's volumes wait for. */
    private static final Duration WITHIN = Duration.ofSeconds(20);

    private static final int MODE = 0755;
    private static final int FILE_MODE = 0600;

    /** Of several users, none removes what another has made. */
    private static final int SHARED_MODE = 01770;

    /** Nomad's own limit of a task's secrets. */
    private static final long MOST_IN_MEMORY = 1 << 20;

    private final Path allocations;
    private final Paths paths;
    private final HeldVolumes held;
    private final MountTable.Source mounts;
    private final Time time;

    /**
     * @param roots where things are
     * @param paths by key: one for each plugin, so that what hangs for one delays no other
     */
    public BoundVolumes(Roots roots, Function<String, Paths> paths, MountTable.Source mounts, Time time) {
        this.allocations = roots.allocations();
        this.paths = paths.apply("tasks");
        this.held = new HeldVolumes(roots.own(), roots.volumes(), paths, mounts);
        this.mounts = mounts;
        this.time = time;
    }

    /**
     * Where things are; all without links.
     *
     * @param allocations the directory below which all allocations have theirs
     * @param own a directory that nobody but the agent reaches
     * @param volumes the directory below which all plugins publish
     */
    public record Roots(Path allocations, Path own, Path volumes) {}

    @Override
    public boolean isThere(Published volume) throws KernelTrouble {
        return volume.device()
                || volume.ofHost()
                || mounts.whole().at(volume.path()).isPresent();
    }

    @Override
    public void hold(Published volume, Path taskDir, int number, Mounts.Spread spread, Optional<IdSwap> ids)
            throws KernelTrouble, InterruptedException {
        held.hold(volume, allocations.relativize(taskDir), number, spread, ids, Deadline.in(time, WITHIN));
    }

    @Override
    public Optional<String> swapFault(Published volume, IdSwap ids) throws KernelTrouble, InterruptedException {
        return held.swapFault(volume, ids, Deadline.in(time, WITHIN));
    }

    @Override
    public boolean holdsOther(Published volume, Path taskDir, int number) throws KernelTrouble {
        return held.isOther(volume, held(taskDir, number));
    }

    @Override
    public boolean bindsOther(Published volume, Path taskDir, String destination) throws KernelTrouble {
        return held.isOther(volume, target(taskDir, destination));
    }

    @Override
    public void unbind(Path taskDir, String destination) throws KernelTrouble, InterruptedException {
        Path target = target(taskDir, destination);
        if (mounts.whole().at(target).isPresent()) {
            paths.detach(Place.of(allocations, target), Deadline.in(time, WITHIN));
        }
    }

    private static Path target(Path taskDir, String destination) throws KernelTrouble {
        Path target = taskDir;
        for (String name : names(destination)) {
            target = target.resolve(name);
        }
        return target;
    }

    @Override
    public Path held(Path taskDir, int number) {
        return held.at(allocations.relativize(taskDir), number);
    }

    @Override
    public Paths.Whose adopt(Published volume, Path taskDir, int number, long uid, long gid)
            throws KernelTrouble, InterruptedException {
        return held.adopt(volume, allocations.relativize(taskDir), number, uid, gid, Deadline.in(time, WITHIN));
    }

    @Override
    public void release(Path taskDir) throws KernelTrouble, InterruptedException {
        held.release(allocations.relativize(taskDir), Deadline.in(time, WITHIN));
    }

    @Override
    public Bound bind(Published volume, Path taskDir, String destination, boolean readOnly)
            throws KernelTrouble, InterruptedException {
        Deadline deadline = Deadline.in(time, WITHIN);
        Place target = Place.of(allocations, taskDir);
        List<String> names = names(destination);
        for (String name : names.subList(0, names.size() - 1)) {
            target = target.child(name);
            paths.makeDirectory(target, MODE, deadline);
        }
        target = target.child(names.getLast());
        MountTable table = mounts.whole();
        Optional<Mount> there = table.at(target.path());
        if (there.isPresent() && HeldVolumes.isSame(table, volume, target.path())) {
            return new Bound(target.path(), false);
        }
        if (there.isPresent()) {
            paths.detach(target, deadline);
        } else if (volume.device()) {
            paths.makeFile(target, FILE_MODE, deadline);
        } else {
            paths.makeDirectory(target, MODE, deadline);
        }
        held.show(volume, target, new Paths.Showing(volume.device(), readOnly, Mounts.Spread.PRIVATE, false), deadline);
        return new Bound(target.path(), true);
    }

    @Override
    public Set<Path> mounted(Path directory) throws KernelTrouble {
        return mounts.whole().atOrBelow(directory).stream()
                .map(mount -> Path.of(mount.target()))
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public void keepInMemory(Path directory, Owner owner) throws KernelTrouble, InterruptedException {
        if (mounts.whole().at(directory).isEmpty()) {
            paths.mountMemory(Place.of(allocations, directory), MOST_IN_MEMORY, owner, Deadline.in(time, WITHIN));
        }
    }

    @Override
    public void shield(Path allocation) throws KernelTrouble, InterruptedException {
        // An agent that is not root mounts nothing, and what its tasks make is its own user's.
        boolean isRoot = "root".equals(System.getProperty("user.name"));
        // A mount on top of others would hide them, and they could not be unmounted any more.
        if (isRoot && mounts.whole().atOrBelow(allocation).isEmpty()) {
            Place place = Place.of(allocations, allocation);
            paths.bind(place, place, false, Mounts.Spread.PRIVATE, Deadline.in(time, WITHIN));
        }
    }

    @Override
    public void share(Path directory, NavigableSet<Long> users) throws KernelTrouble, InterruptedException {
        if (users.isEmpty()) {
            return;
        }
        // One user is the owner, as on file systems that keep no lists of users.
        boolean isOnes = users.size() == 1;
        // The allocation is a mount of its own, and below it there is none yet.
        Path allocation = allocations.resolve(allocations.relativize(directory).getName(0));
        paths.give(
                Place.of(allocation, directory),
                new Owner(SHARED_MODE, isOnes ? users.getFirst().intValue() : -1, -1),
                isOnes ? Collections.emptyNavigableSet() : users,
                Deadline.in(time, WITHIN));
    }

    @Override
    public void unmountInside(Path published) throws KernelTrouble, InterruptedException {
        unmount(
                published,
                mounts.whole().atOrBelow(published).stream()
                        .filter(mount -> !Path.of(mount.target()).equals(published))
                        .toList());
    }

    @Override
    public void unbindAll(Path directory) throws KernelTrouble, InterruptedException {
        unmount(
                allocations,
                mounts.whole().atOrBelow(directory).stream()
                        .filter(mount -> !Path.of(mount.target()).equals(directory))
                        .toList());
        if (mounts.whole().at(directory).isPresent()) {
            // Its own, as shield() made it. Somebody may still read a log in it.
            paths.detach(Place.of(allocations, directory), Deadline.in(time, WITHIN));
        }
        release(directory);
    }

    private void unmount(Path root, List<Mount> below) throws KernelTrouble, InterruptedException {
        Deadline deadline = Deadline.in(time, WITHIN);
        List<Path> deepestFirst = below.stream()
                .map(mount -> Path.of(mount.target()))
                .sorted(Comparator.comparingInt(Path::getNameCount).reversed())
                .toList();
        for (Path target : deepestFirst) {
            paths.unmount(Place.of(root, target), deadline);
        }
    }

    /** The names of a destination, which is always meant below the task's directory. */
    private static List<String> names(String destination) throws KernelTrouble {
        List<String> names = List.of(destination.split("/", -1)).stream()
                .filter(name -> !name.isEmpty())
                .toList();
        boolean isPlain = !names.contains(".") && !names.contains("..");
        if (names.isEmpty() || !isPlain || TextPath.of(destination).isEmpty()) {
            throw new KernelTrouble(
                    "the volume mount's destination "
                            + TextRule.quoted(destination)
                            + " is not a plain path below the task's directory: use one such as /data",
                    Effect.NONE,
                    Retry.NEVER);
        }
        return names;
    }
}
