package io.cleat.agent.plugins;

import io.cleat.agent.plugins.PluginTasks.PluginTask;
import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.kernel.DurableFiles;
import io.cleat.kernel.FileWrites.Owner;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The directory in which a plugin makes its socket. It may make what else it likes of it, and mount on it what nobody
 * answers for: so all that is asked there is asked by path workers of the plugin, each with a deadline, and mounts are
 * found in the kernel's table. Any thread.
 */
final class ControlDirectory {
    /** For one call. */
    private static final Duration WITHIN = Duration.ofSeconds(5);

    private static final int MODE = 0700;

    /** What is mounted anew so often while it is taken away is left to the next try. */
    private static final int MOST_PASSES = 16;

    /** Of what was left beside a socket: files of a directory, and directories in each other. */
    private static final int MOST_LEFT = 100;

    private static final int MOST_DEPTH = 1;

    private final Place place;
    private final Place socket;
    private final Place volumes;
    private final List<Long> owner;
    private final Paths workers;
    private final Mounts mounts;
    private final Time time;

    /**
     * @param socket where the plugin makes it, or has made it
     * @param workers those of the plugin
     */
    ControlDirectory(PluginPaths paths, PluginTask task, Path socket, Paths workers, Mounts mounts, Time time) {
        Path control = Objects.requireNonNull(socket.toAbsolutePath().getParent());
        this.place = new Place(Objects.requireNonNull(control.getParent()), String.valueOf(control.getFileName()));
        this.socket = place.child(String.valueOf(socket.getFileName()));
        this.volumes = Place.of(
                paths.root().toAbsolutePath(), paths.volumes(task.spec().id()).toAbsolutePath());
        this.owner = task.owner();
        this.workers = workers;
        this.mounts = mounts;
        this.time = time;
    }

    Path path() {
        return place.path();
    }

    Path socket() {
        return socket.path();
    }

    private Deadline soon() {
        return Deadline.in(time, WITHIN);
    }

    /**
     * Makes it, its plugin's as the socket is to be that is believed, without a socket, and without what an earlier
     * start has mounted there.
     */
    void make() throws Trouble, InterruptedException {
        // Nobody but the agent comes to where they all are.
        DurableFiles.makeDirectory(place.root());
        detachAll();
        workers.makeDirectory(place, MODE, soon());
        if (!owner.isEmpty()) {
            Owner plugins =
                    new Owner(MODE, owner.get(0).intValue(), owner.get(1).intValue());
            workers.give(place, plugins, Collections.emptyNavigableSet(), soon());
        }
        makeVolumes();
        removeSocket();
    }

    /** Makes the directory below which the plugin stages and publishes volumes. */
    void makeVolumes() throws KernelTrouble, InterruptedException {
        workers.makeDirectory(volumes, MODE, soon());
    }

    /** Whether something is where the socket is to be. */
    boolean hasSocket(Deadline deadline) throws KernelTrouble, InterruptedException {
        return workers.stat(socket, deadline).isPresent();
    }

    /**
     * Removes it, and what is mounted at or below it.
     *
     * @return false if the plugin left files in it, which stay
     */
    boolean clear() throws KernelTrouble, InterruptedException {
        detachAll();
        if (workers.stat(place, soon()).isEmpty()) {
            return true;
        }
        removeSocket();
        if (!isEmptied(place, MOST_DEPTH)) {
            return false;
        }
        workers.removeDirectory(place, soon());
        return true;
    }

    /**
     * Removes what a program that was killed leaves beside its socket: locks, a socket that was half made in a
     * directory of its own. What lies deeper, or is much, is no such thing.
     */
    private boolean isEmptied(Place directory, int depth) throws KernelTrouble, InterruptedException {
        List<String> left = workers.list(directory, soon()).sorted();
        if (left.size() > MOST_LEFT) {
            return false;
        }
        boolean isEmptied = true;
        for (String name : left) {
            Place one = directory.child(name);
            if (!workers.stat(one, soon()).map(PathStat::isDirectory).orElse(false)) {
                workers.removeFile(one, soon());
            } else if (depth > 0 && isEmptied(one, depth - 1)) {
                workers.removeDirectory(one, soon());
            } else {
                isEmptied = false;
            }
        }
        return isEmptied;
    }

    private void removeSocket() throws KernelTrouble, InterruptedException {
        Optional<PathStat> there = workers.stat(socket, soon());
        if (there.isPresent() && there.get().isDirectory()) {
            workers.removeDirectory(socket, soon());
        } else if (there.isPresent()) {
            workers.removeFile(socket, soon());
        }
    }

    /** The uppermost first: who comes to one below another may have to ask who hangs. */
    private void detachAll() throws KernelTrouble, InterruptedException {
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            List<Path> targets = mounts.table().atOrBelow(place.path()).stream()
                    .map(mount -> Path.of(mount.target()))
                    .sorted(Comparator.comparingInt(Path::getNameCount))
                    .toList();
            if (targets.isEmpty()) {
                return;
            }
            Set<Path> gone = new HashSet<>();
            for (Path target : targets) {
                if (!liesBelowOne(target, gone)) {
                    workers.detach(Place.of(place.root(), target), soon());
                    gone.add(target);
                }
            }
        }
        throw new KernelTrouble(
                "what is mounted at " + place + " is mounted again as soon as it is taken away",
                Effect.UNKNOWN,
                Retry.SAME_CALL);
    }

    private boolean liesBelowOne(Path target, Set<Path> gone) {
        for (Path above = target.getParent();
                above != null && above.startsWith(place.path());
                above = above.getParent()) {
            if (gone.contains(above)) {
                return true;
            }
        }
        return false;
    }
}
