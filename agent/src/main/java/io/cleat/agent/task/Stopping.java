package io.cleat.agent.task;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Time;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.model.Signals;
import io.cleat.model.Task;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a task that runs is asked to end: its shutdown delay, its signal, its time to obey.
 *
 * <p>Guarded by {@code lock}, under which nothing else is done.
 */
final class Stopping {
    private static final Logger LOG = LoggerFactory.getLogger(Stopping.class);

    private final Task task;
    private final Duration longest;
    private final TaskDriver driver;
    private final Time time;
    private final TaskDiary diary;
    private final TaskEvents events;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean hurried;
    private boolean ended;
    private boolean asked;

    /** @param longest no task may take longer, whatever its job says */
    Stopping(Task task, Duration longest, TaskDriver driver, Time time, TaskDiary diary, TaskEvents events) {
        this.task = task;
        this.longest = longest;
        this.driver = driver;
        this.time = time;
        this.diary = diary;
        this.events = events;
    }

    /** A new start of the task begins. */
    void begun() {
        mark(hurried, false);
        asked(false);
    }

    /** Whether the task was asked to end, since its last start. */
    boolean wasAsked() {
        lock.lock();
        try {
            return asked;
        } finally {
            lock.unlock();
        }
    }

    private void asked(boolean is) {
        lock.lock();
        try {
            asked = is;
        } finally {
            lock.unlock();
        }
    }

    /** The task has ended: nothing more is waited for. */
    void ended() {
        mark(hurried, true);
    }

    /** No delay is waited for from now on. */
    void hurry() {
        mark(true, ended);
    }

    private void mark(boolean isHurried, boolean isEnded) {
        lock.lock();
        try {
            hurried = isHurried;
            ended = isEnded;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the shutdown delay, unless the task ends by itself or there is a hurry. */
    void awaitDelay() throws InterruptedException {
        Duration delay = task.shutdownDelay();
        if (!delay.isPositive()) {
            return;
        }
        lock.lockInterruptibly();
        try {
            if (hurried || ended) {
                return;
            }
        } finally {
            lock.unlock();
        }
        diary.event(events.shutdownDelay(delay));
        Deadline deadline = Deadline.in(time, delay);
        lock.lockInterruptibly();
        try {
            while (!hurried && !ended && !deadline.isExpired()) {
                time.await(changed, deadline);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Asks the task to end; returns once that has begun. */
    void stop(TaskHandle handle, String reason) throws InterruptedException {
        Duration timeout = timeout();
        asked(true);
        diary.event(events.killing(timeout, reason));
        try {
            driver.stop(handle, signal(), timeout);
        } catch (DriverTrouble trouble) {
            LOG.warn("task {} could not be asked to stop: {}", handle.id(), trouble.reason());
        }
    }

    private Duration timeout() {
        Duration wanted = task.killTimeout();
        return wanted.compareTo(longest) < 0 ? wanted : longest;
    }

    /** A signal that does not exist would leave the task running for ever. */
    private String signal() {
        String wanted = task.killSignal();
        if (!wanted.isEmpty() && Signals.number(wanted).isEmpty()) {
            LOG.warn("task {} has the kill signal {}, which is none", task.name(), wanted);
            return "";
        }
        return wanted;
    }
}
