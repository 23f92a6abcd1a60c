package io.cleat.agent.alloc;

import io.cleat.base.Deadline;
import io.cleat.base.InWork;
import io.cleat.base.Time;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The time in which an agent takes a stored allocation over, noted as work: should the process end meanwhile, the next
 * start knows at which allocation. It is through once each task is found again and its templates are read, or as soon
 * as the allocation waits for something else: a grant, a plugin, another task, a download, or the end of a task. So
 * nobody who waits is blamed for an end of the process, and holds up the next.
 *
 * <p>Guarded by {@code lock}, never held during anything else.
 */
final class Takeover {
    private final InWork inWork;
    private final String work;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private final Set<String> tasks = new HashSet<>();
    private boolean isThrough;
    private boolean isNoted;

    private Takeover(InWork inWork, String allocId, Time time) {
        this.inWork = inWork;
        this.work = work(allocId);
        this.time = time;
    }

    /** Of an allocation that was written down by an earlier agent; noted from now on. */
    static Takeover begin(InWork inWork, String allocId, Time time) {
        inWork.begin(work(allocId));
        return new Takeover(inWork, allocId, time);
    }

    /** Of an allocation that is new: nothing is taken over. */
    static Takeover none(String allocId, Time time) {
        Takeover none = new Takeover(InWork.UNNOTED, allocId, time);
        none.through();
        return none;
    }

    /** As what it is noted. */
    static String work(String allocId) {
        return "allocation " + allocId;
    }

    /** These tasks are taken over; it is through once each was said to be {@link #settled}. */
    void tasks(Collection<String> names) {
        lock.lock();
        try {
            tasks.addAll(names);
        } finally {
            lock.unlock();
        }
    }

    /** One of the tasks is taken over, or waits. */
    void settled(String task) {
        boolean isLast;
        lock.lock();
        try {
            isLast = tasks.remove(task) && tasks.isEmpty();
        } finally {
            lock.unlock();
        }
        if (isLast) {
            through();
        }
    }

    /** All of it is taken over, or waits. What comes after counts no more. */
    void through() {
        lock.lock();
        try {
            if (isThrough) {
                return;
            }
            isThrough = true;
        } finally {
            lock.unlock();
        }
        inWork.end(work);
        lock.lock();
        try {
            isNoted = true;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Blocks until it is through and that is noted, so that no two are in work, or until the deadline: it may hang, and
     * is then in work still.
     */
    void await(Deadline deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!isNoted && !deadline.isExpired()) {
                time.await(ended, deadline);
            }
        } finally {
            lock.unlock();
        }
    }
}
