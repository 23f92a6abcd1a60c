package io.cleat.server.session;

import io.cleat.base.Time;
import io.cleat.state.VariableLock;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Since when each lock of a variable is as it is, in elapsed time: taken or renewed, or lapsed. Kept in the leader's
 * memory and begun anew by each reign: a new leader gives every holder, and every delay, its whole time. Either a
 * holder renews a lock or its end is decided, never both. Guarded by {@code lock}.
 */
public final class LockTimes {
    /** Since when, and whether its end is being decided. */
    private record Count(long since, boolean ends) {}

    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Count> counts = new TreeMap<>();

    public LockTimes(Time time) {
        this.time = time;
    }

    /** A reign begins: nothing is counted yet. */
    public void begin() {
        lock.lock();
        try {
            counts.clear();
        } finally {
            lock.unlock();
        }
    }

    /**
     * How long a lock still stays as it is; nothing once its time has passed. It counts from now on if it did not yet.
     */
    public Duration left(VariableLock of) {
        lock.lock();
        try {
            Count count = counts.computeIfAbsent(key(of), key -> new Count(time.nanos(), false));
            long left = of.stays().toNanos() - (time.nanos() - count.since());
            return Duration.ofNanos(Math.max(0, left));
        } finally {
            lock.unlock();
        }
    }

    /**
     * The end of a lock is to be decided.
     *
     * @return false if somebody has renewed it meanwhile
     */
    public boolean end(VariableLock of) {
        lock.lock();
        try {
            Count count = counts.get(key(of));
            if (count == null || time.nanos() - count.since() < of.stays().toNanos()) {
                return false;
            }
            counts.put(key(of), new Count(count.since(), true));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Somebody who says that he holds a lock renews it: its time begins anew.
     *
     * @return false if its end is being decided
     */
    public boolean renew(String lockId) {
        lock.lock();
        try {
            Count count = counts.get(lockId);
            if (count != null && count.ends()) {
                return false;
            }
            // One that does not count yet will, from later on.
            if (count != null) {
                counts.put(lockId, new Count(time.nanos(), false));
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** All others are gone. */
    public void keepOnly(Collection<VariableLock> known) {
        lock.lock();
        try {
            counts.keySet().retainAll(known.stream().map(LockTimes::key).toList());
        } finally {
            lock.unlock();
        }
    }

    /** A delay counts on its own; no id that is made has a space. */
    private static String key(VariableLock of) {
        return of.lapsed() ? of.id() + " lapsed" : of.id();
    }
}
