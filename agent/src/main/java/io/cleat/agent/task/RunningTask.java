package io.cleat.agent.task;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a task beside its thread, while it runs: a signal, a command, another start, its end. Which run that
 * is, and whether the task is to be killed, is known here; its {@link TaskRunner} says of each run when it begins and
 * ends.
 *
 * <p>Used by any thread. Guarded by {@code lock}, which is never held during a call of a driver, a plugin or the disk.
 */
public final class RunningTask {
    private final TaskParts parts;
    private final TaskDriver driver;
    private final TaskDiary diary;
    private final TaskEvents events;
    private final Stopping stopping;
    private final StartGate startGate;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition killed = lock.newCondition();
    private @Nullable TaskHandle running;
    private @Nullable String killReason;

    /** Why the run that ends now has failed, whatever its exit code says. */
    private @Nullable String failedCheck;

    /**
     * What a kill has met.
     *
     * @param isFirst whether the task was not killed before
     * @param toEnd the run that the caller is to end; of one that begins later its {@link #begun} tells
     */
    record Kill(boolean isFirst, Optional<TaskHandle> toEnd) {}

    RunningTask(
            TaskParts parts,
            TaskDriver driver,
            TaskDiary diary,
            TaskEvents events,
            Stopping stopping,
            StartGate startGate) {
        this.parts = parts;
        this.driver = driver;
        this.diary = diary;
        this.events = events;
        this.stopping = stopping;
        this.startGate = startGate;
    }

    /**
     * Ends the task if it runs, and starts it again as after no failure.
     *
     * @return whether it runs
     */
    public boolean restart(String reason) throws InterruptedException {
        if (handle().isEmpty()) {
            return false;
        }
        diary.event(events.restartSignaled(reason));
        try {
            hold(reason);
        } finally {
            // Whoever asked may be interrupted by the very end that it asked for.
            goOn();
        }
        return true;
    }

    /**
     * Ends the task if it runs, as after a failure: its policy says whether it is started again.
     *
     * @param reason shown in the task's events
     */
    public void failCheck(String reason) throws InterruptedException {
        TaskHandle handle;
        lock.lock();
        try {
            handle = running;
            if (handle == null || failedCheck != null || killReason != null) {
                return;
            }
            failedCheck = reason;
        } finally {
            lock.unlock();
        }
        diary.event(events.restartSignaled(reason));
        stopping.stop(handle, reason);
    }

    /**
     * Runs a command in the task.
     *
     * @return empty if the task does not run
     */
    public Optional<ScriptEnd> script(String program, List<String> args, Duration timeout) throws InterruptedException {
        Optional<TaskHandle> handle = handle();
        if (handle.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ScriptRun(
                        driver, handle.get(), ScriptRun.words(program, args), timeout, parts.threads(), parts.time())
                .run());
    }

    /**
     * Sends the task a signal if it runs.
     *
     * @param signal such as {@code SIGHUP}
     * @return whether it runs
     */
    public boolean signal(String signal, String reason) throws DriverTrouble, InterruptedException {
        Optional<TaskHandle> handle = handle();
        if (handle.isEmpty()) {
            return false;
        }
        diary.event(events.signaling(signal, reason));
        driver.signal(handle.get(), signal);
        return true;
    }

    /**
     * Ends the task, and waits until nothing of that run is left; it is started again, as after no failure, once
     * {@link #goOn} is called.
     */
    public void hold(String reason) throws InterruptedException {
        startGate.begin(reason);
        Optional<TaskHandle> handle = handle();
        if (handle.isPresent()) {
            stopping.stop(handle.get(), reason);
        }
        startGate.awaitOver();
    }

    /** Lets the task be started again, if it is held. */
    public void goOn() {
        startGate.end();
    }

    /** Asks one run of the task to end; it is started again as its policy says. */
    void stop(TaskHandle handle, String reason) throws InterruptedException {
        stopping.stop(handle, reason);
    }

    /** The run that runs. */
    Optional<TaskHandle> handle() {
        lock.lock();
        try {
            return Optional.ofNullable(running);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A run has begun, or was found.
     *
     * @return why it is to be ended at once, if the task was killed before
     */
    Optional<String> begun(TaskHandle handle) {
        lock.lock();
        try {
            running = handle;
            return Optional.ofNullable(killReason);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The run has ended.
     *
     * @return whether a check had failed it
     */
    boolean ended() {
        lock.lock();
        try {
            boolean hasFailed = failedCheck != null;
            running = null;
            failedCheck = null;
            return hasFailed;
        } finally {
            lock.unlock();
        }
    }

    /** The task is to end, and not to be started again. */
    Kill kill(String reason) {
        lock.lock();
        try {
            if (killReason != null) {
                return new Kill(false, Optional.empty());
            }
            killReason = reason;
            killed.signalAll();
            return new Kill(true, Optional.ofNullable(running));
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #kill}, whether it was killed before or not; what runs is the caller's to find and end. */
    void killForFault(String reason) {
        lock.lock();
        try {
            killReason = reason;
        } finally {
            lock.unlock();
        }
    }

    boolean isKilled() {
        lock.lock();
        try {
            return killReason != null;
        } finally {
            lock.unlock();
        }
    }

    /** Waits, and returns true as soon as the task is killed. */
    boolean awaitKill(Duration wait) throws InterruptedException {
        diary.settled();
        Deadline deadline = Deadline.in(parts.time(), wait);
        lock.lockInterruptibly();
        try {
            while (killReason == null && !deadline.isExpired()) {
                parts.time().await(killed, deadline);
            }
            return killReason != null;
        } finally {
            lock.unlock();
        }
    }
}
