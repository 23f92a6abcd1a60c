package io.cleat.server.session;

import io.cleat.base.ByteBudget;
import io.cleat.base.Ordered;
import io.cleat.base.Refused;
import io.cleat.base.Time;
import io.cleat.wire.ToNode;
import io.cleat.wire.WireFormat;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What waits to be sent on one link: marks of the allocations whose assignment may be another one, and messages in
 * order. Of more marks than a bound one is kept, of all. Messages are bounded in number and bytes, and all links share
 * a budget of bytes; beyond either the link closes, and the node hears all anew on its next. Guarded by {@code lock}.
 */
final class Outgoing {
    /** How many messages may wait; a node that reads so slowly is taken for gone. */
    static final int BOUND = 10_000;

    /** How many bytes they may have, those included that are being sent. */
    static final long BYTES = 8 << 20;

    /** How many allocations are marked one by one. */
    static final int MARKS = 1000;

    /**
     * How many bytes of each link the budget of all does not count, so that nodes that read go on hearing their
     * heartbeats though others have filled it.
     */
    static final long OWN = 4 * 1024;

    /** Of the heap, what may wait for all nodes together. */
    private static final int SHARE = 16;

    /** What a message takes beside its bytes. */
    private static final int OVERHEAD = 64;

    private final ByteBudget budget;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<ToNode> messages = new ArrayDeque<>();
    private final Set<String> marked = new HashSet<>();
    private boolean areAllMarked = true;
    private boolean areVariablesMarked;
    private boolean isClosed;

    /** Of {@link #messages}. */
    private long waiting;

    /** Of what the last turn gave to be sent. */
    private long underWay;

    /** What is taken of the budget. */
    private long charged;

    /** @param budget of all links */
    Outgoing(ByteBudget budget) {
        this.budget = budget;
    }

    /** What waits for all nodes together, in the heap of this process. */
    static ByteBudget ofHeap(Time time) {
        return new ByteBudget(Math.max(BYTES, Runtime.getRuntime().maxMemory() / SHARE), time);
    }

    /**
     * What to do next.
     *
     * @param all whether to look at all allocations in the newest image
     * @param marked the ids of those to look at, if not at all
     * @param variables whether to look at the variables that tasks read
     */
    record Turn(boolean all, Set<String> marked, boolean variables, List<ToNode> messages) {
        boolean isToLook() {
            return all || variables || !marked.isEmpty();
        }
    }

    /** Any assignment may be another one. */
    void markAll() {
        lock.lock();
        try {
            areAllMarked = true;
            areVariablesMarked = true;
            marked.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A variable that a task reads may be another one, or more are wanted. */
    void markVariables() {
        lock.lock();
        try {
            areVariablesMarked = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** These may be. */
    void mark(Collection<String> allocIds) {
        lock.lock();
        try {
            if (!areAllMarked) {
                marked.addAll(allocIds);
                if (marked.size() > MARKS) {
                    areAllMarked = true;
                    marked.clear();
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** False if nothing more is taken. */
    boolean say(ToNode message) {
        long bytes = bytes(message);
        lock.lock();
        try {
            if (messages.size() >= BOUND
                    || waiting + underWay + bytes > BYTES
                    || !isCharged(waiting + underWay + bytes)) {
                end();
            }
            if (!isClosed) {
                messages.add(message);
                waiting += bytes;
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
            end();
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

    /**
     * Waits for something to do; nothing once closed. What the turn before gave has been sent when this is called
     * again.
     */
    Turn take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            underWay = 0;
            discharge(waiting);
            while (!isClosed && !isMarked() && messages.isEmpty()) {
                changed.await();
            }
            if (isClosed) {
                return new Turn(false, Set.of(), false, List.of());
            }
            Turn turn = new Turn(areAllMarked, Ordered.copyOf(marked), areVariablesMarked, List.copyOf(messages));
            areAllMarked = false;
            areVariablesMarked = false;
            marked.clear();
            messages.clear();
            underWay = waiting;
            waiting = 0;
            return turn;
        } finally {
            lock.unlock();
        }
    }

    private boolean isMarked() {
        return areAllMarked || areVariablesMarked || !marked.isEmpty();
    }

    private void end() {
        isClosed = true;
        messages.clear();
        waiting = 0;
        underWay = 0;
        discharge(0);
    }

    /** Whether the budget has room for so many bytes of this link; then they are taken from it. */
    private boolean isCharged(long bytes) {
        long more = Math.max(0, bytes - OWN) - charged;
        if (isClosed || more <= 0) {
            return true;
        }
        if (!budget.takeNow(more)) {
            return false;
        }
        charged += more;
        return true;
    }

    private void discharge(long bytes) {
        long less = charged - Math.max(0, bytes - OWN);
        budget.give(less);
        charged -= less;
    }

    /** What a message takes while it waits. */
    static long bytes(ToNode message) {
        try {
            return (long) OVERHEAD + WireFormat.TO_NODE.encode(message).length;
        } catch (Refused unfit) {
            // The link says so when it is sent; it does not wait here for long.
            return OVERHEAD;
        }
    }
}
