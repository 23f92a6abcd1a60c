package io.cleat.base;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One lane per key: what is put on a lane runs one after the other in the order given, and lanes do
 * not wait for each other. A lane has a thread only while it has work.
 *
 * <p>Guarded by {@code lock}, which is never held while work runs.
 */
public final class Lanes<K> {
    private final String role;
    private final Threads threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, ArrayDeque<Threads.Body>> waiting = new HashMap<>();

    /**
     * @param role the first part of the threads' names
     */
    public Lanes(String role, Threads threads) {
        this.role = role;
        this.threads = threads;
    }

    /** Puts {@code work} at the end of the lane of {@code key}. */
    public void run(K key, Threads.Body work) {
        lock.lock();
        try {
            ArrayDeque<Threads.Body> queue = waiting.get(key);
            if (queue != null) {
                queue.add(work);
                return;
            }
            queue = new ArrayDeque<>();
            queue.add(work);
            waiting.put(key, queue);
        } finally {
            lock.unlock();
        }
        threads.start(role + "/" + key, () -> drain(key));
    }

    /** How many pieces of work the lane of {@code key} has not ended. */
    public int depth(K key) {
        lock.lock();
        try {
            ArrayDeque<Threads.Body> queue = waiting.get(key);
            return queue == null ? 0 : queue.size();
        } finally {
            lock.unlock();
        }
    }

    private void drain(K key) throws InterruptedException {
        boolean ended = false;
        try {
            for (Threads.Body work = head(key); work != null; work = next(key)) {
                work.run();
            }
            ended = true;
        } finally {
            if (!ended) {
                next(key);
                restart(key);
            }
        }
    }

    /** The failed piece is gone; what waits behind it goes on with a thread of its own. */
    private void restart(K key) {
        if (head(key) != null) {
            threads.start(role + "/" + key, () -> drain(key));
        }
    }

    private Threads.@Nullable Body head(K key) {
        lock.lock();
        try {
            ArrayDeque<Threads.Body> queue = waiting.get(key);
            return queue == null ? null : queue.peek();
        } finally {
            lock.unlock();
        }
    }

    private Threads.@Nullable Body next(K key) {
        lock.lock();
        try {
            ArrayDeque<Threads.Body> queue = waiting.get(key);
            if (queue == null) {
                return null;
            }
            queue.poll();
            if (queue.isEmpty()) {
                waiting.remove(key);
                return null;
            }
            return queue.peek();
        } finally {
            lock.unlock();
        }
    }
}
