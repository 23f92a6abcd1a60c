package io.cleat.server.session;

import io.cleat.base.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * When each node was last heard, in elapsed time. Kept in the leader's memory and begun anew by each reign: a new
 * leader gives every node its whole time. Guarded by {@code lock}.
 */
final class Heartbeats {
    private final Time time;
    private final Duration allowed;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Long> heardAt = new TreeMap<>();

    /** @param allowed how long a node may be silent */
    Heartbeats(Time time, Duration allowed) {
        this.time = time;
        this.allowed = allowed;
    }

    /** A reign begins: these nodes count as heard now. */
    void begin(Collection<String> nodeIds) {
        lock.lock();
        try {
            heardAt.clear();
            nodeIds.forEach(id -> heardAt.put(id, time.nanos()));
        } finally {
            lock.unlock();
        }
    }

    void heard(String nodeId) {
        lock.lock();
        try {
            heardAt.put(nodeId, time.nanos());
        } finally {
            lock.unlock();
        }
    }

    /** The node is given up; it counts again once it is heard. */
    void forget(String nodeId) {
        lock.lock();
        try {
            heardAt.remove(nodeId);
        } finally {
            lock.unlock();
        }
    }

    /** The nodes that were silent for too long. */
    List<String> overdue() {
        lock.lock();
        try {
            List<String> overdue = new ArrayList<>();
            heardAt.forEach((id, at) -> {
                if (left(at) <= 0) {
                    overdue.add(id);
                }
            });
            return overdue;
        } finally {
            lock.unlock();
        }
    }

    /** Until when, at the earliest, a node becomes overdue; the whole time if none is awaited. */
    Duration untilNext() {
        lock.lock();
        try {
            long least = allowed.toNanos();
            for (long at : heardAt.values()) {
                least = Math.min(least, Math.max(0, left(at)));
            }
            return Duration.ofNanos(least);
        } finally {
            lock.unlock();
        }
    }

    private long left(long at) {
        return at + allowed.toNanos() - time.nanos();
    }
}
