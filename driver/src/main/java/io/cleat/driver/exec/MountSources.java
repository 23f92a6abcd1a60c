package io.cleat.driver.exec;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.driver.TaskConfig.TaskMount;
import io.cleat.kernel.Mount;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What is at the sources of a container's mounts. They may hang, as a volume whose file server is gone does: so a path
 * worker looks, and asks nobody behind a mount.
 *
 * @param found by path; without links
 */
record MountSources(Map<Path, PathStat> found) {
    private static final Duration WITHIN = Duration.ofSeconds(30);

    MountSources {
        found = Map.copyOf(found);
    }

    /** @throws KernelTrouble with no effect if nothing is at one of them */
    static MountSources look(List<TaskMount> mounts, Paths paths, Time time)
            throws KernelTrouble, InterruptedException {
        Deadline deadline = Deadline.in(time, WITHIN);
        Map<Path, PathStat> found = new HashMap<>();
        for (TaskMount mount : mounts) {
            found.put(mount.hostPath(), look(mount, paths, deadline));
        }
        return new MountSources(found);
    }

    private static PathStat look(TaskMount mount, Paths paths, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        Path path = mount.hostPath();
        Path parent = path.getParent();
        Place place = parent == null
                ? new Place(path, "")
                : new Place(parent, Objects.requireNonNull(path.getFileName()).toString());
        PathStat stat = paths.stat(place, deadline)
                .orElseThrow(() -> new KernelTrouble(
                        "nothing is at " + path + ", which the task is to see at " + mount.taskPath(),
                        Effect.NONE,
                        Retry.AFTER_OBSERVING));
        // A directory that the operator lets tasks see may be named by a link.
        return stat.type() == PathStat.Type.LINK && !mount.isVolume()
                ? paths.stat(new Place(path, ""), deadline).orElse(stat)
                : stat;
    }

    boolean isDirectory(Path path) {
        return Optional.ofNullable(found.get(path))
                .filter(PathStat::isDirectory)
                .isPresent();
    }

    /** Which block device is there; empty if none is. */
    Optional<Mount.Device> device(Path path) {
        return Optional.ofNullable(found.get(path))
                .filter(stat -> stat.type() == PathStat.Type.BLOCK)
                .map(PathStat::represents);
    }
}
