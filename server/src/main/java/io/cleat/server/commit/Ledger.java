package io.cleat.server.commit;

import io.cleat.base.Deadline;
import io.cleat.base.Refusal;
import io.cleat.base.Time;
import io.cleat.base.Watched;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for what: proposals to be decided, entries in flight, and entries of ended reigns whose fate is open
 * ("limbo"); and which reign this member may decide in. Shared by callers, the decider, and the applying thread.
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
    private final List<Flight<S, C>> limbo = new ArrayList<>();
    private long leadingTerm;
    private long followedTerm;
    private @Nullable String opening;
    private @Nullable String ruling;
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
            if (!reign.equals(ruling) || inFlight.size() >= IN_FLIGHT) {
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
            if (!flight.reign().equals(ruling)) {
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
            if (!reign.equals(ruling)) {
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
            if (ruling != null && !now.reign().equals(ruling)) {
                endReign();
            }
            if (opening != null
                    && !now.reign().equals(opening)
                    && now.appliedOf(opening).isPresent()) {
                opening = null; // opened, and already followed by another
                signal();
            }
            for (Flight<S, C> head = inFlight.peekFirst();
                    head != null && isApplied(head, now);
                    head = inFlight.peekFirst()) {
                applied.add(inFlight.removeFirst());
            }
            if (!limbo.isEmpty()) {
                settleLimbo(now, applied);
            }
            if ((!applied.isEmpty() && !queue.isEmpty()) || now.reign().equals(opening)) {
                signal();
            }
        } finally {
            lock.unlock();
        }
        applied.forEach(flight -> flight.waiters().forEach(Waiter::answer));
    }

    private static boolean isApplied(Flight<?, ?> flight, Applied<?> now) {
        OptionalLong applied = now.appliedOf(flight.reign());
        return applied.isPresent() && flight.number() < applied.getAsLong();
    }

    private void settleLimbo(Applied<S> now, List<Flight<S, C>> applied) {
        List<Waiter<S, C, ?>> again = new ArrayList<>();
        for (Iterator<Flight<S, C>> each = limbo.iterator(); each.hasNext(); ) {
            Flight<S, C> flight = each.next();
            if (isApplied(flight, now)) {
                applied.add(flight);
                each.remove();
            } else if (!now.reign().equals(flight.reign())) {
                // A later reign is open, so what is not applied by now never will be.
                each.remove();
                if (now.appliedOf(flight.reign()).isPresent()) {
                    again.addAll(flight.waiters());
                } else {
                    flight.waiters().forEach(Waiter::abandon);
                }
            }
        }
        toFront(again);
    }

    /** An entry was told not to be applied, or not for certain: its reign is over. */
    void failed(Flight<S, C> flight) {
        lock.lock();
        try {
            if (flight.reign().equals(ruling) && inFlight.contains(flight)) {
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
            if (isOurs && flight.reign().equals(ruling)) {
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
        ruling = null;
        signal();
    }

    void leading(long term) {
        lock.lock();
        try {
            if (term > followedTerm) {
                leadingTerm = term;
                signal();
            }
        } finally {
            lock.unlock();
        }
    }

    void following(long term) {
        lock.lock();
        try {
            followedTerm = Math.max(followedTerm, term);
            if (leadingTerm <= followedTerm) {
                leadingTerm = 0;
                opening = null;
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
            return leadingTerm > 0 && opening == null && ruling == null && !isClosed;
        } finally {
            lock.unlock();
        }
    }

    void opening(String reign) {
        lock.lock();
        try {
            opening = reign;
        } finally {
            lock.unlock();
        }
    }

    /** The opening of {@code reign} failed, or may have. */
    void openingFailed(String reign) {
        lock.lock();
        try {
            if (reign.equals(opening)) {
                opening = null;
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
            if (opening == null || !now.reign().equals(opening)) {
                return null;
            }
            ruling = leadingTerm > 0 && !isClosed ? opening : null;
            opening = null;
            return ruling;
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    String ruling() {
        lock.lock();
        try {
            return ruling;
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
            ruling = null;
            opening = null;
            all.addAll(queue);
            inFlight.forEach(flight -> all.addAll(flight.waiters()));
            limbo.forEach(flight -> all.addAll(flight.waiters()));
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
                        ? limbo.getFirst()
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
