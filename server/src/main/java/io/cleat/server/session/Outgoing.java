package io.cleat.server.session;

import io.cleat.wire.ToNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits to be sent on one link: a mark that the assignments may have changed, and messages in
 * order. Guarded by {@code lock}.
 */
final class Outgoing {
    /** How many messages may wait; a node that reads so slowly is taken for gone. */
    static final int BOUND = 10_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<ToNode> messages = new ArrayDeque<>();
    private boolean isMarked = true;
    private boolean isClosed;

    /**
     * What to do next.
     *
     * @param look whether to look at the newest image
     */
    record Turn(boolean look, List<ToNode> messages) {}

    void mark() {
        lock.lock();
        try {
            isMarked = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** False if nothing more is taken. */
    boolean say(ToNode message) {
        lock.lock();
        try {
            if (messages.size() >= BOUND) {
                isClosed = true;
            }
            if (!isClosed) {
                messages.add(message);
            }
            changed.signalAll();
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return isClosed;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for something to do; nothing once closed. */
    Turn take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!isClosed && !isMarked && messages.isEmpty()) {
                changed.await();
            }
            if (isClosed) {
                return new Turn(false, List.of());
            }
            Turn turn = new Turn(isMarked, new ArrayList<>(messages));
            isMarked = false;
            messages.clear();
            return turn;
        } finally {
            lock.unlock();
        }
    }
}
