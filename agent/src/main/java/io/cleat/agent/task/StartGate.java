package io.cleat.agent.task;

import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A task's pause between an end that was no failure and its next start, which begins once nothing of the task runs.
 * Guarded by {@code lock}, under which nothing else is done.
 */
final class StartGate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable String reason;
    private @Nullable String heldFor;

    /** Whether something of the task may run, or what it left is not cleaned up. */
    private boolean mayRun;

    /** @param mayRun whether something of the task may run already */
    StartGate(boolean mayRun) {
        this.mayRun = mayRun;
    }

    void begin(String why) {
        lock.lock();
        try {
            reason = why;
            heldFor = why;
        } finally {
            lock.unlock();
        }
    }

    /** The task has ended, and is to be started again at once, as after no failure. */
    void next(String why) {
        begin(why);
        end();
    }

    /** Lets the task be started; nothing if it is not held. */
    void end() {
        lock.lock();
        try {
            heldFor = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Why the task is to be ended, if it is. */
    Optional<String> reason() {
        lock.lock();
        try {
            return Optional.ofNullable(reason);
        } finally {
            lock.unlock();
        }
    }

    /** Why the task was ended, if it was ended for this; asked once. */
    Optional<String> take() {
        lock.lock();
        try {
            Optional<String> why = Optional.ofNullable(reason);
            reason = null;
            return why;
        } finally {
            lock.unlock();
        }
    }

    /** What the task is held for, while it is. */
    Optional<String> heldFor() {
        lock.lock();
        try {
            return Optional.ofNullable(heldFor);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets the task be started now, unless it is held; from then on something of it may run, until it is {@link #over}.
     *
     * @return whether it is let
     */
    boolean tryStart() {
        lock.lock();
        try {
            mayRun |= heldFor == null;
            return heldFor == null;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing of the task runs, and what it left is cleaned up. */
    void over() {
        lock.lock();
        try {
            mayRun = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Blocks while something of the task may run. */
    void awaitOver() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (mayRun) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Blocks while the task is held. */
    void await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (heldFor != null) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
