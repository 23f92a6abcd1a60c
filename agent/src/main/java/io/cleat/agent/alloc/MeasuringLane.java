package io.cleat.agent.alloc;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Time;
import io.cleat.kernel.Place;
import io.cleat.kernel.TreeMeasure;
import io.cleat.model.EphemeralDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Measures the directories of all allocations, one after the other, with a rest after each: so very many of them
 * together take a tenth of a core, by a path worker of their own. Any thread.
 *
 * <p>Guarded by {@code lock}, never held while something is measured.
 */
public final class MeasuringLane implements AllocationParts.Measuring {
    /** So much longer than the processor was at work. */
    private static final int REST = 9;

    /** Others do not wait longer because of a large directory, or one that hangs. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(5);

    /** What one directory may take. What was seen then counts. */
    private static final Duration MOST = Duration.ofMinutes(5);

    private final TreeMeasure trees;
    private final Path directories;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition free = lock.newCondition();
    private boolean isTaken;
    private Deadline rest;

    /**
     * @param trees of a key that nobody else uses
     * @param directories below which each allocation has its directory
     */
    public MeasuringLane(TreeMeasure trees, Path directories, Time time) {
        this.trees = trees;
        this.directories = directories;
        this.time = time;
        this.rest = Deadline.in(time, Duration.ZERO);
    }

    @Override
    public TreeMeasure.Measured measure(AllocationDirectory directory, EphemeralDisk limit)
            throws KernelTrouble, InterruptedException {
        take();
        Duration pause = LONGEST_REST;
        try {
            TreeMeasure.Measured measured = trees.of(
                    Place.of(directories, directory.root()),
                    directory.root().relativize(directory.logs()).toString(),
                    seen -> seen.bytes() > limit.bytes() || seen.files() > limit.files(),
                    Deadline.in(time, MOST));
            pause = measured.took().multipliedBy(REST);
            return measured;
        } finally {
            giveBack(pause);
        }
    }

    private void take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (isTaken || !rest.isExpired()) {
                if (isTaken) {
                    free.await();
                } else {
                    time.await(free, rest);
                }
            }
            isTaken = true;
        } finally {
            lock.unlock();
        }
    }

    private void giveBack(Duration pause) {
        lock.lock();
        try {
            isTaken = false;
            rest = Deadline.in(time, pause).atMost(LONGEST_REST);
            free.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
