package io.cleat.sim;

import io.cleat.base.Deadline;
import io.cleat.base.FaultHandler;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The threads of one process, and its clocks. Killed, none of its threads runs on: no {@code finally}, as with SIGKILL.
 */
final class SimProcess implements Threads, Time {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final String name;
    private final Scheduler scheduler;
    private final Supplier<Duration> wallAhead;
    private final Thread.UncaughtExceptionHandler faults;
    private boolean isAlive = true;

    /**
     * @param wallAhead by how much the machine's clock is wrong
     * @param faults hears what a thread does not catch
     */
    SimProcess(String name, Scheduler scheduler, Supplier<Duration> wallAhead, Thread.UncaughtExceptionHandler faults) {
        this.name = name;
        this.scheduler = scheduler;
        this.wallAhead = wallAhead;
        this.faults = faults;
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return isAlive;
    }

    void kill() {
        isAlive = false;
    }

    /** Starts what the simulation itself has the process do. */
    Thread start(String role, Body body) {
        return vitalWork(role, body);
    }

    @Override
    public FaultHandler faults() {
        return (where, fault) -> faults.uncaughtException(Thread.currentThread(), fault);
    }

    @Override
    public Thread start(Kind kind, String role, Body body) {
        String full = name + " " + role;
        Thread thread = scheduler
                .threads()
                .thread(
                        piece -> scheduler.execute(this, full, piece),
                        full,
                        Threads.guarded(kind, full, body, faults()));
        thread.setUncaughtExceptionHandler(faults);
        thread.start();
        return thread;
    }

    @Override
    public Instant now() {
        return START.plusNanos(scheduler.nanos()).plus(wallAhead.get());
    }

    @Override
    public long nanos() {
        return scheduler.nanos();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        boolean[] isOver = {false};
        Thread sleeper = Thread.currentThread();
        Scheduler.Alarm alarm = scheduler.in(duration, () -> {
            isOver[0] = true;
            LockSupport.unpark(sleeper);
        });
        try {
            while (!isOver[0]) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                LockSupport.park();
            }
        } finally {
            alarm.cancel();
        }
    }

    // The loop is the caller's: this is the wait inside it.
    @SuppressWarnings("WaitNotInLoop")
    @Override
    public boolean await(Condition condition, Deadline deadline) throws InterruptedException {
        if (deadline.isExpired()) {
            return false;
        }
        Scheduler.Alarm alarm = scheduler.in(
                deadline.left(), () -> start("alarm", () -> scheduler.threads().signalAll(condition)));
        try {
            condition.await();
        } finally {
            alarm.cancel();
        }
        return !deadline.isExpired();
    }
}
