package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * Measures trees that a workload makes, of any size, depth and names, and changes meanwhile. A path worker does it,
 * over no link and no mount: what is mounted in a tree is neither counted nor asked anything. A file that has no name
 * any more is not found, however large.
 *
 * <p>A measuring is many short calls to the same worker; so a key has one at a time. One caller.
 */
public final class TreeMeasure {
    /** What one call to a worker takes at most, so that it is seen to go on. */
    private static final Duration AT_ONCE = Duration.ofMillis(250);

    /** A call that takes so much longer hangs. */
    private static final Duration HANGS = Duration.ofSeconds(30);

    private static final long NO_WALK = 0;

    private final WorkerPaths paths;

    /** @param key whose workers do it, and nothing else; see {@link PathWorkers} */
    public TreeMeasure(PathWorkers workers, String key) {
        this.paths = new WorkerPaths(workers, key);
    }

    /**
     * What was measured.
     *
     * @param took of a processor's time
     */
    public record Measured(TreeSize size, Duration took) {}

    /**
     * The size of a tree, or of as much of it as there was time for.
     *
     * @param directory what is below it counts
     * @param besides what is left out: a directory, as it is seen from there; empty for none
     * @param enough whether what was seen until now is all that is wanted to be known
     * @throws KernelTrouble if the directory cannot be read, such as because it is gone, or hangs
     */
    public Measured of(Place directory, String besides, Predicate<TreeSize> enough, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        long walk = NO_WALK;
        for (; ; ) {
            WorkerPaths.Measured seen = paths.measure(directory, besides, AT_ONCE, walk, deadline.atMost(HANGS));
            if (seen.size().isWhole() || enough.test(seen.size()) || deadline.isExpired()) {
                return new Measured(seen.size(), seen.took());
            }
            walk = seen.walk();
        }
    }
}
