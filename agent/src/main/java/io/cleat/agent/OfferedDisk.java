package io.cleat.agent;

import io.cleat.agent.alloc.EndedFiles;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much disk a node offers to allocations: the most that was free since the agent's start, in MiB. What allocations
 * write makes it no less, since that is taken off by what they asked for; what somebody clears away makes it more, so
 * that an agent that began on a full disk offers it again once there is room. The disk is looked at every 15 s.
 *
 * <p>Written by one thread, read by any.
 */
public final class OfferedDisk implements LongSupplier {
    private static final Logger LOG = LoggerFactory.getLogger(OfferedDisk.class);
    private static final Duration PAUSE = Duration.ofSeconds(15);
    private static final long MEBI = 1 << 20;

    /** What is said to the server is worth that much of it, at least. */
    private static final long LEAST_MORE = 64;

    private final EndedFiles.Disk disk;
    private final Runnable changed;
    private volatile long offered;

    /**
     * @param atStart MiB that were free when the agent began
     * @param disk the file system of the allocations' directories
     * @param changed told when more is offered than before
     */
    public OfferedDisk(long atStart, EndedFiles.Disk disk, Runnable changed) {
        this.offered = atStart;
        this.disk = disk;
        this.changed = changed;
    }

    /** Looks at the disk again and again from now on. */
    public Thread start(Threads threads, Time time) {
        return threads.vital("node/disk", () -> {
            for (; ; ) {
                time.sleep(PAUSE);
                look();
            }
        });
    }

    /** Looks at the disk once; small growth is left for later, so that the server hears of it seldom. */
    void look() {
        try {
            long free = disk.usage().available() / MEBI;
            if (free >= offered + Math.max(LEAST_MORE, offered / 10)) {
                offered = free;
                changed.run();
            }
        } catch (Trouble unseen) {
            LOG.warn("how much disk is free is not known: {}", unseen.reason());
        }
    }

    /** MiB, as nodes say them. */
    @Override
    public long getAsLong() {
        return offered;
    }
}
