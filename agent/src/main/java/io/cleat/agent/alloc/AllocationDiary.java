package io.cleat.agent.alloc;

import io.cleat.agent.alloc.KeptFiles.Left;
import io.cleat.agent.report.News;
import io.cleat.agent.task.TaskRecord;
import io.cleat.agent.task.TaskRunner;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Time;
import io.cleat.model.DesiredStatus;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of one allocation, changed step by step: each change is written down and told.
 *
 * <p>Guarded by {@code lock}, which is held while what is known is written down, so that the newest is written last,
 * and during nothing else that may wait.
 */
final class AllocationDiary implements TaskRunner.Keeper {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationDiary.class);

    private final AllocationStore store;
    private final News news;
    private final Time time;
    private final Takeover takeover;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private KnownAllocation known;
    private boolean unwanted;
    private Left left = Left.ALL;
    private long checks;

    AllocationDiary(KnownAllocation known, AllocationStore store, News news, Time time, Takeover takeover) {
        this.takeover = takeover;
        this.known = known;
        this.store = store;
        this.news = news;
        this.time = time;
    }

    /**
     * What is known now.
     *
     * @param isUnwanted whether the server wants no more of it: nothing of it is to be left
     * @param left what of its files is to be left, of one that has ended
     * @param checks how often checks of its services said something else than before
     */
    record Entry(KnownAllocation known, boolean isUnwanted, Left left, long checks) {
        /** Whether it is to run: it is wanted, and nothing has failed it. */
        boolean isWanted() {
            return !isUnwanted
                    && known.desired() == DesiredStatus.RUN
                    && known.failure().isEmpty();
        }

        /** Whether nothing has to watch it any more. */
        boolean isOver() {
            return known.ended() || !isWanted();
        }
    }

    KnownAllocation known() {
        return entry().known();
    }

    Entry entry() {
        lock.lock();
        try {
            return now();
        } finally {
            lock.unlock();
        }
    }

    /** The server wants no more of it. Not written down: it says so again. */
    void unwanted() {
        lock.lock();
        try {
            unwanted = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What of its files is to be left. Not written down: what is gone is gone once more. */
    void keep(Left most) {
        lock.lock();
        try {
            left = most;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Entry now() {
        return new Entry(known, unwanted, left, checks);
    }

    /** A check of a service says something else. Not written down: it is made again. */
    void checked() {
        lock.lock();
        try {
            checks++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Blocks until what is known is as wanted. */
    Entry await(Predicate<Entry> wanted) throws InterruptedException {
        return await(wanted, null);
    }

    /** Blocks until what is known is as wanted, or until the deadline, if there is one. */
    Entry await(Predicate<Entry> wanted, @Nullable Deadline deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Entry now = now();
            while (!wanted.test(now) && (deadline == null || !deadline.isExpired())) {
                if (deadline == null) {
                    changed.await();
                } else {
                    time.await(changed, deadline);
                }
                now = now();
            }
            return now;
        } finally {
            lock.unlock();
        }
    }

    /** Changes what is known; where the disk refuses, it counts in memory and is written with the next change. */
    void change(UnaryOperator<KnownAllocation> change) {
        lock.lock();
        try {
            KnownAllocation next = change.apply(known);
            if (next.equals(known)) {
                return;
            }
            known = next;
            changed.signalAll();
            store.put(known);
        } catch (DiskTrouble trouble) {
            LOG.warn("allocation {} is not written down yet: {}", known.allocId(), trouble.reason());
        } finally {
            lock.unlock();
        }
        tell();
    }

    @Override
    public void keep(String task, TaskRecord record) throws DiskTrouble {
        write(k -> k.withTask(task, record));
    }

    /** Changes what is known; it counts only once it is durable. */
    void write(UnaryOperator<KnownAllocation> change) throws DiskTrouble {
        lock.lock();
        try {
            KnownAllocation next = change.apply(known);
            store.put(next);
            known = next;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        tell();
    }

    @Override
    public void note(String task, TaskRecord record) {
        change(k -> k.withTask(task, record));
    }

    @Override
    public void settled(String task) {
        takeover.settled(task);
    }

    private void tell() {
        news.allocationChanged(known().allocId());
    }
}
