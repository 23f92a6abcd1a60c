package io.cleat.server.intake;

import io.cleat.base.Deadline;
import io.cleat.base.EarlyEnd;
import io.cleat.base.Time;
import io.cleat.state.Change;
import io.cleat.state.ChangedRows;
import io.cleat.state.ClusterState;
import io.cleat.state.RowId;
import io.cleat.state.TableName;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Those who wait for an image. A change wakes only those who wait for a table that it changed; of those who wait for
 * one row, only who waits for that.
 *
 * <p>Guarded by {@code lock}; no caller's code runs under it.
 */
final class ImageWaiters {
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<TableName, Set<Sleeper>> ofTables = new EnumMap<>(TableName.class);
    private final Map<RowId, Set<Sleeper>> ofRows = new HashMap<>();
    private ClusterState newest;

    /** One who waits, and for what: a row if there is one, else tables. */
    private static final class Sleeper {
        final Condition woken;
        Optional<RowId> row = Optional.empty();
        Set<TableName> tables = Set.of();
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
            ofTables.put(table, new LinkedHashSet<>());
        }
    }

    /** A new image is there. Returns at once. */
    void changed(ClusterState before, Collection<Change> changes, ClusterState after) {
        lock.lock();
        try {
            newest = after;
            for (TableName table : TableName.values()) {
                if (before.version(table) != after.version(table)) {
                    wake(of(table), false);
                }
            }
            if (!ofRows.isEmpty()) {
                for (Change change : changes) {
                    ChangedRows.by(change).forEach(row -> wake(ofRows.getOrDefault(row, Set.of()), false));
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
            ofTables.values().forEach(all -> wake(all, true));
            ofRows.values().forEach(all -> wake(all, true));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until {@code wanted} holds for the newest image, the image is replaced, {@code deadline}, or somebody ends
     * it.
     *
     * @param tables what {@code wanted} looks at
     * @param row the only row of these that it looks at, in an image where that is so
     * @return the newest image, whatever ended the wait
     */
    ClusterState await(
            Set<TableName> tables,
            Function<ClusterState, Optional<RowId>> row,
            Predicate<ClusterState> wanted,
            Deadline deadline,
            EarlyEnd early)
            throws InterruptedException {
        Sleeper sleeper = new Sleeper(lock.newCondition());
        Runnable waker = () -> end(sleeper);
        early.wakes(waker);
        try {
            boolean goesOn = true;
            ClusterState seen = enter(tables, row, sleeper);
            while (goesOn && !wanted.test(seen)) {
                goesOn = sleep(sleeper, deadline);
                seen = enter(tables, row, sleeper);
            }
            return seen;
        } finally {
            early.forget(waker);
            leave(sleeper);
        }
    }

    /** False once the time is over, or somebody has ended it. */
    private boolean sleep(Sleeper sleeper, Deadline deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            boolean hasTime = true;
            while (hasTime && !sleeper.isWoken) {
                hasTime = time.await(sleeper.woken, deadline);
            }
            sleeper.isWoken = false;
            return hasTime && !sleeper.isEnded;
        } finally {
            lock.unlock();
        }
    }

    private void end(Sleeper sleeper) {
        lock.lock();
        try {
            wake(Set.of(sleeper), true);
        } finally {
            lock.unlock();
        }
    }

    /** From now on it is woken by what can change the image that is given back. */
    private ClusterState enter(Set<TableName> tables, Function<ClusterState, Optional<RowId>> row, Sleeper sleeper) {
        while (true) {
            ClusterState seen = newest();
            Optional<RowId> only = row.apply(seen);
            lock.lock();
            try {
                if (seen == newest) {
                    remove(sleeper);
                    sleeper.row = only;
                    sleeper.tables = only.isPresent() ? Set.of() : tables;
                    only.ifPresent(id -> ofRows.computeIfAbsent(id, none -> new LinkedHashSet<>())
                            .add(sleeper));
                    sleeper.tables.forEach(table -> of(table).add(sleeper));
                    return seen;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private ClusterState newest() {
        lock.lock();
        try {
            return newest;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Sleeper sleeper) {
        lock.lock();
        try {
            remove(sleeper);
        } finally {
            lock.unlock();
        }
    }

    private void remove(Sleeper sleeper) {
        sleeper.tables.forEach(table -> of(table).remove(sleeper));
        sleeper.row.ifPresent(id -> {
            Set<Sleeper> all = ofRows.getOrDefault(id, Set.of());
            all.remove(sleeper);
            if (all.isEmpty()) {
                ofRows.remove(id);
            }
        });
    }

    private static void wake(Collection<Sleeper> sleepers, boolean isEnded) {
        for (Sleeper sleeper : sleepers) {
            sleeper.isWoken = true;
            sleeper.isEnded |= isEnded;
            sleeper.woken.signalAll();
        }
    }

    private Set<Sleeper> of(TableName table) {
        return ofTables.computeIfAbsent(table, none -> new LinkedHashSet<>());
    }
}
