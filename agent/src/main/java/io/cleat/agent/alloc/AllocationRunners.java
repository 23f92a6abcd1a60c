package io.cleat.agent.alloc;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which allocation has which runner, from before it begins until nothing of it is left.
 *
 * <p>Used by any thread. Guarded by {@code lock}, on which sleeps who waits until some are removed; a runner is asked
 * nothing under it.
 */
final class AllocationRunners {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition removed = lock.newCondition();
    private final Map<String, AllocationRunner> runners = new TreeMap<>();

    void put(String allocId, AllocationRunner runner) {
        lock.lock();
        try {
            runners.put(allocId, runner);
        } finally {
            lock.unlock();
        }
    }

    void remove(String allocId) {
        lock.lock();
        try {
            runners.remove(allocId);
            removed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    Optional<AllocationRunner> find(String allocId) {
        lock.lock();
        try {
            return Optional.ofNullable(runners.get(allocId));
        } finally {
            lock.unlock();
        }
    }

    /** All of now, in the order of their ids. */
    List<AllocationRunner> all() {
        lock.lock();
        try {
            return List.copyOf(runners.values());
        } finally {
            lock.unlock();
        }
    }

    /** The ids of all of now, in their order. */
    List<String> ids() {
        lock.lock();
        try {
            return List.copyOf(runners.keySet());
        } finally {
            lock.unlock();
        }
    }

    /** Blocks until none of these is left. */
    void awaitRemoved(Collection<AllocationRunner> leaving) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (runners.values().stream().anyMatch(leaving::contains)) {
                removed.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
