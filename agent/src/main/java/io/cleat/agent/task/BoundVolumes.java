package io.cleat.agent.task;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * Bind mounts inside task directories, made by path workers: the directories are the workload's to
 * write in, so no link in them is followed.
 */
public final class BoundVolumes implements VolumeBinds {
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final int MODE = 0755;

    private final Path allocations;
    private final Paths paths;
    private final MountTable.Source mounts;
    private final Time time;

    /**
     * @param allocations the directory below which all allocations have theirs
     */
    public BoundVolumes(Path allocations, Paths paths, MountTable.Source mounts, Time time) {
        this.allocations = allocations;
        this.paths = paths;
        this.mounts = mounts;
        this.time = time;
    }

    @Override
    public Path bind(Path published, Path taskDir, String destination, boolean readOnly)
            throws KernelTrouble, InterruptedException {
        Place target = Place.of(allocations, taskDir);
        Deadline deadline = Deadline.in(time, WITHIN);
        for (String name : names(destination)) {
            target = target.child(name);
            paths.makeDirectory(target, MODE, deadline);
        }
        if (mounts.read().at(target.path()).isEmpty()) {
            paths.bind(new Place(published, ""), target, readOnly, Mounts.Spread.PRIVATE, deadline);
        }
        return target.path();
    }

    @Override
    public void rebind(Path published, Path taskDir, String destination, boolean readOnly)
            throws KernelTrouble, InterruptedException {
        Place target = Place.of(allocations, taskDir);
        for (String name : names(destination)) {
            target = target.child(name);
        }
        if (mounts.read().at(target.path()).isPresent()) {
            paths.detach(target, Deadline.in(time, WITHIN));
        }
        bind(published, taskDir, destination, readOnly);
    }

    @Override
    public void unbindAll(Path directory) throws KernelTrouble, InterruptedException {
        List<Mount> below = MountTable.readTwice(mounts).atOrBelow(directory);
        Deadline deadline = Deadline.in(time, WITHIN);
        List<Path> deepestFirst =
                below.stream()
                        .map(mount -> Path.of(mount.target()))
                        .sorted(Comparator.comparingInt(Path::getNameCount).reversed())
                        .toList();
        for (Path target : deepestFirst) {
            paths.unmount(Place.of(allocations, target), deadline);
        }
    }

    /** The names of a destination, which is always meant below the task's directory. */
    private static List<String> names(String destination) throws KernelTrouble {
        List<String> names =
                List.of(destination.split("/", -1)).stream()
                        .filter(name -> !name.isEmpty())
                        .toList();
        if (names.isEmpty() || names.contains(".") || names.contains("..")) {
            throw new KernelTrouble(
                    "the volume mount's destination '"
                            + destination
                            + "' is not a plain path below the task's directory: use one such as /data",
                    Effect.NONE,
                    Retry.NEVER);
        }
        return names;
    }
}
