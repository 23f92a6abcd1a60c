package io.cleat.server.intake;

import io.cleat.base.Deadline;
import io.cleat.base.EarlyEnd;
import io.cleat.base.Time;
import io.cleat.state.ClusterState;
import io.cleat.state.TableName;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Those who wait for an image. A change wakes only those who wait for a table that it changed.
 *
 * <p>Guarded by {@code lock}; no caller's code runs under it.
 */
final class ImageWaiters {
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<TableName, Set<Sleeper>> sleepers = new EnumMap<>(TableName.class);
    private ClusterState newest;

    /** One who waits. */
    private static final class Sleeper {
        final Condition woken;
        boolean isWoken;
        boolean isEnded;

        Sleeper(Condition woken) {
            this.woken = woken;
        }
    }

    ImageWaiters(ClusterState first, Time time) {
        this.newest = first;
        this.time = time;
        for (TableName table : TableName.values()) {
            sleepers.put(table, new LinkedHashSet<>());
        }
    }

    /** A new image is there. Returns at once. */
    void changed(ClusterState before, ClusterState after) {
        lock.lock();
        try {
            newest = after;
            for (TableName table : TableName.values()) {
                if (before.version(table) != after.version(table)) {
                    wake(table, false);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** A new image is there, and what lies between is not known: all waits end. */
    void replaced(ClusterState after) {
        lock.lock();
        try {
            newest = after;
            for (TableName table : TableName.values()) {
                wake(table, true);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until {@code wanted} holds for the newest image, the image is replaced, {@code deadline}, or somebody ends
     * it.
     *
     * @param tables what {@code wanted} looks at
     * @return the newest image, whatever ended the wait
     */
    ClusterState await(Set<TableName> tables, Predicate<ClusterState> wanted, Deadline deadline, EarlyEnd early)
            throws InterruptedException {
        Sleeper sleeper = new Sleeper(lock.newCondition());
        Runnable waker = () -> end(sleeper);
        ClusterState seen = enter(tables, sleeper);
        early.wakes(waker);
        try {
            boolean hasTime = true;
            while (hasTime && !wanted.test(seen)) {
                lock.lockInterruptibly();
                try {
                    while (hasTime && !sleeper.isWoken) {
                        hasTime = time.await(sleeper.woken, deadline);
                    }
                    sleeper.isWoken = false;
                    seen = newest;
                    hasTime &= !sleeper.isEnded;
                } finally {
                    lock.unlock();
                }
            }
            return seen;
        } finally {
            early.forget(waker);
            leave(tables, sleeper);
        }
    }

    private void end(Sleeper sleeper) {
        lock.lock();
        try {
            wake(sleeper, true);
        } finally {
            lock.unlock();
        }
    }

    private ClusterState enter(Set<TableName> tables, Sleeper sleeper) {
        lock.lock();
        try {
            tables.forEach(table -> of(table).add(sleeper));
            return newest;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Set<TableName> tables, Sleeper sleeper) {
        lock.lock();
        try {
            tables.forEach(table -> of(table).remove(sleeper));
        } finally {
            lock.unlock();
        }
    }

    private void wake(TableName table, boolean isReplaced) {
        for (Sleeper sleeper : of(table)) {
            wake(sleeper, isReplaced);
        }
    }

    private static void wake(Sleeper sleeper, boolean isEnded) {
        sleeper.isWoken = true;
        sleeper.isEnded |= isEnded;
        sleeper.woken.signalAll();
    }

    private Set<Sleeper> of(TableName table) {
        return sleepers.computeIfAbsent(table, t -> new LinkedHashSet<>());
    }
}
