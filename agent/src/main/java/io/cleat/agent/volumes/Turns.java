package io.cleat.agent.volumes;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One lane per volume: who wants to work on it takes a turn, in the order of asking. Lanes do not wait for each other.
 *
 * <p>Guarded by {@code lock}, never held while work is done.
 */
final class Turns {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final Map<VolumeKey, ArrayDeque<Turn>> lanes = new HashMap<>();

    /** A place in a lane; the head of the lane works. */
    final class Turn implements AutoCloseable {
        private final VolumeKey key;
        private final String what;

        private Turn(VolumeKey key, String what) {
            this.key = key;
            this.what = what;
        }

        @Override
        public void close() {
            lock.lock();
            try {
                ArrayDeque<Turn> lane = lanes.get(key);
                if (lane != null) {
                    lane.remove(this);
                    if (lane.isEmpty()) {
                        lanes.remove(key);
                    }
                }
                moved.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Waits for a turn.
     *
     * @param what is to be done, for those who wait behind it
     * @param waiting told what it waits for, each time that changes
     */
    Turn enter(VolumeKey key, String what, Consumer<String> waiting) throws InterruptedException {
        Turn own = new Turn(key, what);
        boolean has = false;
        lock.lock();
        try {
            lanes.computeIfAbsent(key, absent -> new ArrayDeque<>()).add(own);
        } finally {
            lock.unlock();
        }
        try {
            for (Turn head = head(own, null); head != own; head = head(own, head)) {
                waiting.accept(head.what);
            }
            has = true;
            return own;
        } finally {
            if (!has) {
                own.close();
            }
        }
    }

    /** The head of the lane, once it is another than {@code known}. */
    private Turn head(Turn own, @Nullable Turn known) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                Turn head = lanes.getOrDefault(own.key, new ArrayDeque<>()).peek();
                if (head == null) {
                    throw new IllegalStateException("a turn that waits is in its lane");
                }
                if (head != known) {
                    return head;
                }
                moved.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
