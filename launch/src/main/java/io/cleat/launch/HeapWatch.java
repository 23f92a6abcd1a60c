package io.cleat.launch;

import io.cleat.base.Time;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Says whether the heap is full, and gives back what a time of load has left. What counts is what is left after a
 * collection: garbage fills no heap. Who looks is one thread; any may ask.
 */
final class HeapWatch implements BooleanSupplier {
    /** Beyond it new work is refused. Before anything fails: what is under way needs the rest. */
    static final double FULL = 0.85;

    /** Below this part of the heap nobody looks closer: the closer look costs at first. */
    private static final double WORTH_A_LOOK = 0.5;

    static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /** How long a heap counts as full before it is collected to see whether it still is. */
    private static final Duration FULL_FOR = Duration.ofSeconds(30);

    /** How long hardly anything happens before it is collected to give memory back. */
    private static final Duration QUIET_FOR = Duration.ofMinutes(1);

    /** How many collections a quiet minute has at most. */
    private static final long FEW = 6;

    /**
     * After which it is collected again though it is no larger than the last time: what was deleted since may have been
     * most of it.
     */
    private static final Duration AGAIN_AFTER = Duration.ofHours(1);

    /** So many collections since the last time say that something was done since. */
    private static final long MANY = 20;

    /** A heap of so many bytes is not worth making smaller. */
    private static final long SMALL = 64L << 20;

    private final Heap heap;
    private final Time time;
    private volatile boolean isFull;
    private long fullSince;
    private long quietSince;
    private long collectionsThen;

    /** What was committed after the last collection that was asked for; when that was; how many there were by then. */
    private long floor = SMALL;

    private long floorSince;
    private long collectionsAtFloor;

    HeapWatch(Heap heap, Time time) {
        this.heap = heap;
        this.time = time;
        quietSince = time.nanos();
        floorSince = quietSince;
    }

    @Override
    public boolean getAsBoolean() {
        return isFull;
    }

    /** Looks until it is interrupted. */
    void run() throws InterruptedException {
        while (true) {
            time.sleep(LOOK_EVERY);
            look();
        }
    }

    /** One look. */
    void look() {
        boolean wasFull = isFull;
        isFull = heap.used() > heap.max() * WORTH_A_LOOK && heap.lasting() > FULL;
        if (isFull) {
            if (!wasFull) {
                fullSince = time.nanos();
            } else if (isPast(fullSince, FULL_FOR)) {
                heap.collect();
                fullSince = time.nanos();
            }
            return;
        }
        giveBack();
    }

    private void giveBack() {
        long committed = heap.committed();
        if (committed <= SMALL + SMALL / 4 || !isPast(quietSince, QUIET_FOR)) {
            return;
        }
        if (committed <= floor + floor / 4 && !mayBeLess()) {
            return;
        }
        long collections = heap.collections();
        boolean wasQuiet = collections - collectionsThen <= FEW;
        if (wasQuiet) {
            heap.collect();
            floor = Math.max(SMALL, heap.committed());
            floorSince = time.nanos();
            collections = heap.collections();
            collectionsAtFloor = collections;
        }
        collectionsThen = collections;
        quietSince = time.nanos();
    }

    /** Whether what is needed may be less than when it was collected last. */
    private boolean mayBeLess() {
        return isPast(floorSince, AGAIN_AFTER) && heap.collections() - collectionsAtFloor >= MANY;
    }

    private boolean isPast(long since, Duration duration) {
        return time.nanos() - since >= duration.toNanos();
    }
}
