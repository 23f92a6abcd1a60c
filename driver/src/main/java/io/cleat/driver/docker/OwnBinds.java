package io.cleat.driver.docker;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.kernel.DurableFiles;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a task mounts of its own directory. A task may have put a link there in an earlier life, and an engine follows
 * links as root: so it is bound below a handle into a directory of the agent's, over no link, and the engine is given
 * that.
 *
 * <p>Holds nothing of its own; used by any thread.
 */
final class OwnBinds {
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final int OURS = 0700;

    private final Path directory;
    private final PathWorkers workers;
    private final Time time;

    /** @param directory of the agent's own, on a local disk */
    OwnBinds(Path directory, PathWorkers workers, Time time) {
        this.directory = directory;
        this.workers = workers;
        this.time = time;
    }

    private Place place(String container, int number) {
        return new Place(directory, container + "." + number);
    }

    /**
     * Binds a directory of a task.
     *
     * @param number of the mount among those of the container
     * @param source below the task's directory
     * @return where the engine finds it
     */
    Path hold(String container, int number, Place source, boolean readOnly) throws DriverTrouble, InterruptedException {
        Deadline deadline = Deadline.in(time, WITHIN);
        Paths paths = workers.of(DockerDriver.NAME);
        Place target = place(container, number);
        try {
            DurableFiles.makeDirectory(directory);
            PathStat.Type type =
                    paths.stat(source, deadline).map(PathStat::type).orElseThrow(() -> refused(source, "is not there"));
            if (type != PathStat.Type.DIRECTORY) {
                throw refused(source, "is no directory");
            }
            paths.makeDirectory(target, OURS, deadline);
            paths.bind(source, target, readOnly, Mounts.Spread.PRIVATE, deadline);
            return target.path();
        } catch (DiskTrouble full) {
            throw new DriverTrouble(full.reason(), Effect.NONE, full.retry(), full);
        } catch (KernelTrouble failed) {
            throw new DriverTrouble(
                    "the task's directory " + source + " could not be mounted: " + failed.reason(),
                    Effect.NONE,
                    failed.retry(),
                    failed);
        }
    }

    private static DriverTrouble refused(Place source, String why) {
        return new DriverTrouble(
                "a mount's source " + source + " " + why + "; expected a directory of the task",
                Effect.NONE,
                Retry.AFTER_OBSERVING);
    }

    /** Lets go of all that is held for a container that is gone. */
    void release(String container) throws DriverTrouble, InterruptedException {
        Deadline deadline = Deadline.in(time, WITHIN);
        Paths paths = workers.of(DockerDriver.NAME);
        try {
            Place all = new Place(directory, "");
            if (paths.stat(all, deadline).isEmpty()) {
                return;
            }
            for (String name : paths.list(all, deadline).sorted()) {
                if (name.startsWith(container + ".")) {
                    paths.detach(all.child(name), deadline);
                    paths.removeDirectory(all.child(name), deadline);
                }
            }
        } catch (KernelTrouble failed) {
            throw new DriverTrouble(
                    "what was mounted for " + container + " stays: " + failed.reason(),
                    failed.effect(),
                    failed.retry(),
                    failed);
        }
    }
}
