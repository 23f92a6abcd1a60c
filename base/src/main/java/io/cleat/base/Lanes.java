package io.cleat.base;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One lane per key: what is put on a lane runs one after the other in the order given, and lanes do not wait for each
 * other. A lane has a thread only while it has work.
 *
 * <p>A lane is vital or contained, as a thread is: see {@link Threads}. A contained fault ends its own piece of work,
 * and what waits behind it goes on.
 *
 * <p>Guarded by {@code lock}, which is never held while work runs.
 */
public final class Lanes<K> {
    private final String role;
    private final Threads threads;
    private final boolean isVital;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, ArrayDeque<Piece>> waiting = new HashMap<>();

    /** One piece of work. */
    private record Piece(Threads.Body body, Threads.OnFault onFault) {}

    private Lanes(String role, Threads threads, boolean isVital) {
        this.role = role;
        this.threads = threads;
        this.isVital = isVital;
    }

    /**
     * Lanes in which a fault ends the process.
     *
     * @param role the first part of the threads' names
     */
    public static <K> Lanes<K> vital(String role, Threads threads) {
        return new Lanes<>(role, threads, true);
    }

    /**
     * Lanes in which a fault ends the one piece of work.
     *
     * @param role the first part of the threads' names
     */
    public static <K> Lanes<K> contained(String role, Threads threads) {
        return new Lanes<>(role, threads, false);
    }

    /** Puts {@code work} at the end of the lane of {@code key}. */
    public void run(K key, Threads.Body work) {
        run(key, work, Threads.OnFault.NOTHING_MORE);
    }

    /**
     * Puts {@code work} at the end of the lane of {@code key}.
     *
     * @param onFault what becomes of what it was for; never called in a vital lane
     */
    public void run(K key, Threads.Body work, Threads.OnFault onFault) {
        Piece piece = new Piece(work, onFault);
        lock.lock();
        try {
            ArrayDeque<Piece> queue = waiting.get(key);
            if (queue != null) {
                queue.add(piece);
                return;
            }
            queue = new ArrayDeque<>();
            queue.add(piece);
            waiting.put(key, queue);
        } finally {
            lock.unlock();
        }
        start(key);
    }

    /** How many pieces of work the lane of {@code key} has not ended. */
    public int depth(K key) {
        lock.lock();
        try {
            ArrayDeque<Piece> queue = waiting.get(key);
            return queue == null ? 0 : queue.size();
        } finally {
            lock.unlock();
        }
    }

    private void start(K key) {
        String name = role + "/" + key;
        if (isVital) {
            threads.vitalWork(name, () -> drain(key));
        } else {
            threads.contained(name, () -> drain(key), fault -> failed(key, fault));
        }
    }

    private void drain(K key) throws InterruptedException {
        try {
            for (Piece piece = head(key); piece != null; piece = next(key)) {
                piece.body().run();
            }
        } catch (InterruptedException end) {
            restart(key);
            throw end;
        }
    }

    /** The failed piece is gone; what waits behind it goes on with a thread of its own. */
    private void failed(K key, Throwable fault) throws InterruptedException {
        Piece piece = head(key);
        try {
            if (piece != null) {
                piece.onFault().ends(fault);
            }
        } finally {
            restart(key);
        }
    }

    private void restart(K key) {
        if (next(key) != null) {
            start(key);
        }
    }

    private @Nullable Piece head(K key) {
        lock.lock();
        try {
            ArrayDeque<Piece> queue = waiting.get(key);
            return queue == null ? null : queue.peek();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Piece next(K key) {
        lock.lock();
        try {
            ArrayDeque<Piece> queue = waiting.get(key);
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
