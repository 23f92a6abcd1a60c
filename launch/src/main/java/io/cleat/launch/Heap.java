package io.cleat.launch;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Comparator;
import java.util.Optional;

/** What is known of the heap of this process. Sizes are in bytes. Any thread. */
interface Heap {
    /** What is in use, garbage included. */
    long used();

    /** What it has of the machine's memory now. */
    long committed();

    /** What it may have at most. */
    long max();

    /**
     * How full the part is that holds what lives long: what was in use there after it was collected last, or is now if
     * that is less. 0 to 1; 0 if it was never collected.
     */
    double lasting();

    /** How many collections there were, of whatever part. */
    long collections();

    /** Collects all of it, and gives the machine what is not needed. */
    void collect();

    /** The heap itself. */
    static Heap ofProcess() {
        return new Heap() {
            @Override
            public long used() {
                Runtime runtime = Runtime.getRuntime();
                return runtime.totalMemory() - runtime.freeMemory();
            }

            @Override
            public long committed() {
                return Runtime.getRuntime().totalMemory();
            }

            @Override
            public long max() {
                return Runtime.getRuntime().maxMemory();
            }

            @Override
            public double lasting() {
                return pool().map(Heap::lasting).orElse(0.0);
            }

            @Override
            public long collections() {
                return ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                        .sum();
            }

            // The one place that asks for it: nobody else gives memory back while all is quiet.
            @SuppressWarnings("GarbageCollection")
            @Override
            public void collect() {
                System.gc();
            }
        };
    }

    /** The pool of what lives long: the only one of the heap that can tell when it is full. */
    private static Optional<MemoryPoolMXBean> pool() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .filter(MemoryPoolMXBean::isUsageThresholdSupported)
                .max(Comparator.comparingLong(pool -> pool.getUsage().getMax()));
    }

    private static double lasting(MemoryPoolMXBean pool) {
        MemoryUsage after = pool.getCollectionUsage();
        MemoryUsage now = pool.getUsage();
        return after == null || now.getMax() <= 0
                ? 0
                : (double) Math.min(after.getUsed(), now.getUsed()) / now.getMax();
    }
}
