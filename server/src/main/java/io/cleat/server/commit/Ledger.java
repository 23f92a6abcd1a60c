package io.cleat.server.commit;

import io.cleat.base.Deadline;
import io.cleat.base.Refusal;
import io.cleat.base.Time;
import io.cleat.base.Watched;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for what: proposals to be decided, entries in flight, and entries in {@link Limbo}; and, as
 * {@link OwnReign}, which reign this member may decide in. Shared by callers, the decider, and the applying thread.
 *
 * <p>Guarded by {@code lock}; a {@link Waiter}'s own lock is taken under it, never the reverse.
 */
final class Ledger<S, C> {
    /**
     * Entries of decisions on their way through the log. While one is, what is asked gathers for the next: an entry
     * costs more than the decisions in it, and the disk flushes one after the other anyway.
     */
    static final int IN_FLIGHT = 1;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final int queueLimit;
    private final ArrayDeque<Waiter<S, C, ?>> queue = new ArrayDeque<>();
    private final ArrayDeque<Flight<S, C>> inFlight = new ArrayDeque<>();
    private final Limbo<S, C> limbo = new Limbo<>();
    private final OwnReign own = new OwnReign();
    private boolean isSignalled;
    private boolean isClosed;
    private Optional<Watched.Head> seenHead = Optional.empty();

    Ledger(int queueLimit) {
        this.queueLimit = queueLimit;
    }

    /** Puts a proposal at the end of the queue; false when it is full. */
    boolean offer(Waiter<S, C, ?> waiter) {
        lock.lock();
        try {
            if (queue.size() >= queueLimit) {
                queue.removeIf(other -> other.state() != Waiter.State.QUEUED);
            }
            if (isClosed || queue.size() >= queueLimit) {
                return false;
            }
            queue.addLast(waiter);
            signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The next proposal, taken; null when there is none, no room in flight, or no reign. */
    @Nullable
    Waiter<S, C, ?> take(String reign) {
        lock.lock();
        try {
            if (!own.isRuling(reign) || inFlight.size() >= IN_FLIGHT) {
                return null;
            }
            Waiter<S, C, ?> next = queue.pollFirst();
            while (next != null && !next.take()) {
                next = queue.pollFirst();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Takes back proposals that were taken and did not get into an entry. */
    void giveBack(List<Waiter<S, C, ?>> waiters) {
        lock.lock();
        try {
            toFront(waiters);
        } finally {
            lock.unlock();
        }
    }

    private void toFront(List<Waiter<S, C, ?>> waiters) {
        for (int i = waiters.size() - 1; i >= 0; i--) {
            if (waiters.get(i).requeue()) {
                queue.addFirst(waiters.get(i));
            }
        }
        signal();
    }

    /** Registers an entry before it is appended; false when its reign has ended. */
    boolean launch(Flight<S, C> flight) {
        lock.lock();
        try {
            if (!own.isRuling(flight.reign())) {
                return false;
            }
            inFlight.addLast(flight);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets answers that changed nothing wait for the newest entry in flight.
     *
     * @return false when there is none, so that they can be given at once
     * @throws ReignEnded what they rest on is not certain any more
     */
    boolean attach(String reign, List<Waiter<S, C, ?>> waiters) throws ReignEnded {
        lock.lock();
        try {
            if (!own.isRuling(reign)) {
                throw new ReignEnded();
            }
            Flight<S, C> newest = inFlight.peekLast();
            if (newest != null) {
                newest.waiters().addAll(waiters);
            }
            return newest != null;
        } finally {
            lock.unlock();
        }
    }

    /** Answers what {@code now} settles, and ends a reign that another one has followed. */
    void settle(Applied<S> now) {
        List<Flight<S, C>> applied = new ArrayList<>();
        lock.lock();
        try {
            if (own.isFollowed(now)) {
                endReign();
            }
            if (own.forgetOpened(now)) {
                signal();
            }
            for (Flight<S, C> head = inFlight.peekFirst();
                    head != null && Limbo.isApplied(head, now);
                    head = inFlight.peekFirst()) {
                applied.add(inFlight.removeFirst());
            }
            if (!limbo.isEmpty()) {
                toFront(limbo.settle(now, applied));
            }
            if ((!applied.isEmpty() && !queue.isEmpty()) || own.isOpening(now.reign())) {
                signal();
            }
        } finally {
            lock.unlock();
        }
        applied.forEach(flight -> flight.waiters().forEach(Waiter::answer));
    }

    /** An entry was told not to be applied, or not for certain: its reign is over. */
    void failed(Flight<S, C> flight) {
        lock.lock();
        try {
            if (own.isRuling(flight.reign()) && inFlight.contains(flight)) {
                endReign();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The same of an entry that was surely not appended, for a reason its callers are to hear. */
    void refused(Flight<S, C> flight, Refusal refusal, long version) {
        boolean isOurs;
        lock.lock();
        try {
            isOurs = inFlight.remove(flight) || limbo.remove(flight);
            if (isOurs && own.isRuling(flight.reign())) {
                endReign();
            }
        } finally {
            lock.unlock();
        }
        if (isOurs) {
            flight.waiters().forEach(waiter -> waiter.reject(refusal, version));
        }
    }

    private void endReign() {
        limbo.addAll(inFlight);
        inFlight.clear();
        own.end();
        signal();
    }

    /** This member leads the log in a term. */
    void leading(long term) {
        lock.lock();
        try {
            if (own.leading(term)) {
                signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Another member leads, or none does: this one does not in that term, or an earlier one. */
    void following(long term) {
        lock.lock();
        try {
            if (own.following(term)) {
                endReign();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether this member leads and neither has a reign nor opens one. */
    boolean wantsReign() {
        lock.lock();
        try {
            return own.isWanted() && !isClosed;
        } finally {
            lock.unlock();
        }
    }

    void opening(String opened) {
        lock.lock();
        try {
            own.opening(opened);
        } finally {
            lock.unlock();
        }
    }

    /** The opening of a reign failed, or may have. */
    void openingFailed(String opened) {
        lock.lock();
        try {
            if (own.isOpening(opened)) {
                own.openingFailed();
                signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The reign that begins because {@code now} shows that its opening is applied. */
    @Nullable
    String begun(Applied<S> now) {
        lock.lock();
        try {
            return own.isOpening(now.reign()) ? own.begin(!isClosed) : null;
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    String ruling() {
        lock.lock();
        try {
            return own.ruling();
        } finally {
            lock.unlock();
        }
    }

    /** Answers all that is queued: surely nothing happened. */
    void rejectQueued(Refusal refusal, long version) {
        List<Waiter<S, C, ?>> all;
        lock.lock();
        try {
            all = new ArrayList<>(queue);
            queue.clear();
        } finally {
            lock.unlock();
        }
        all.forEach(waiter -> waiter.reject(refusal, version));
    }

    /** Ends every wait; nothing is taken any more. */
    void close() {
        List<Waiter<S, C, ?>> all = new ArrayList<>();
        lock.lock();
        try {
            isClosed = true;
            own.close();
            all.addAll(queue);
            inFlight.forEach(flight -> all.addAll(flight.waiters()));
            limbo.all().forEach(flight -> all.addAll(flight.waiters()));
            queue.clear();
            inFlight.clear();
            limbo.clear();
            signal();
        } finally {
            lock.unlock();
        }
        all.forEach(Waiter::abandon);
    }

    /** What has waited longest, for a watchdog, which waits for nobody: if the lock is held, what it was told last. */
    Optional<Watched.Head> head() {
        if (lock.tryLock()) {
            try {
                int waiting = queue.size() + inFlight.size() + limbo.size();
                Object first = !limbo.isEmpty()
                        ? limbo.first()
                        : !inFlight.isEmpty() ? inFlight.peekFirst() : queue.peekFirst();
                seenHead = Optional.ofNullable(first)
                        .map(work -> new Watched.Head(work, "no decision was applied though " + waiting + " wait"));
            } finally {
                lock.unlock();
            }
        }
        return seenHead;
    }

    boolean isClosed() {
        lock.lock();
        try {
            return isClosed;
        } finally {
            lock.unlock();
        }
    }

    int queued() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    int inFlight() {
        lock.lock();
        try {
            return inFlight.size();
        } finally {
            lock.unlock();
        }
    }

    private void signal() {
        isSignalled = true;
        changed.signalAll();
    }

    /** Waits until something may have changed for the decider, or {@code deadline}; false once closed. */
    boolean await(Time time, Deadline deadline) throws InterruptedException {
        lock.lock();
        try {
            boolean hasTime = true;
            while (hasTime && !isSignalled) {
                hasTime = time.await(changed, deadline);
            }
            isSignalled = false;
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    /** The reign in which something was decided is over. */
    static final class ReignEnded extends Exception {
        private static final long serialVersionUID = 1;
    }
}
