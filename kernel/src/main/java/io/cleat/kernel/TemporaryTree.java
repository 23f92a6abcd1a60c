package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * A temporary directory of our own that goes when its work is done: with all that is in it, never while anything is
 * mounted below, never through a link.
 */
public record TemporaryTree(Path directory) {
    private static final Duration WITHIN = Duration.ofMinutes(5);

    /**
     * Removes it; it may be gone already.
     *
     * @param shim whose path workers do it; see {@link SafeRemove}
     * @throws KernelTrouble with no effect while something is mounted at it or below it
     */
    public void remove(Path shim, Threads threads, Time time) throws KernelTrouble, InterruptedException {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (PathWorkers workers = new PathWorkers(shim, threads, time)) {
            // The links on the way to it are the machine's, such as that of /tmp.
            Path real = directory.toRealPath();
            new SafeRemove(workers, "temporary", MountTable::read)
                    .tree(
                            new Place(
                                    Objects.requireNonNull(real.getParent()),
                                    real.getFileName().toString()),
                            Deadline.in(time, WITHIN));
        } catch (IOException failed) {
            throw new KernelTrouble(
                    "removing " + directory + " failed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }
}
