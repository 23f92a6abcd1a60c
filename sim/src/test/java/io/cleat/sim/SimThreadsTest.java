package io.cleat.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** The canary: a JDK that does not let a test schedule threads any more is seen here, at once. */
final class SimThreadsTest {
    private final List<String> faults = new ArrayList<>();

    private SimProcess process(Scheduler scheduler) {
        return new SimProcess(
                "p", scheduler, () -> Duration.ZERO, (thread, fault) -> faults.add(thread.getName() + ": " + fault));
    }

    /** Three threads that contend for a lock, wait and sleep; in which order they came. */
    @SuppressWarnings("ThreadPriorityCheck") // The yield is what the made-up scheduler is asked.
    private List<String> trace(long seed) {
        Scheduler scheduler = new Scheduler(new Random(seed));
        SimProcess process = process(scheduler);
        ReentrantLock lock = new ReentrantLock();
        Condition turn = lock.newCondition();
        List<String> trace = new ArrayList<>();
        for (String name : List.of("a", "b", "c")) {
            process.start(name, () -> {
                for (int i = 0; i < 5; i++) {
                    lock.lock();
                    try {
                        trace.add(name + i);
                        turn.signalAll();
                        Thread.yield();
                        process.await(turn, Deadline.in(process, Duration.ofMillis(20)));
                    } finally {
                        lock.unlock();
                    }
                    process.sleep(Duration.ofMillis(1));
                }
                trace.add(name + " at " + process.now());
            });
        }
        while (scheduler.step()) {
            assertTrue(scheduler.steps() < 10_000, "it goes on for ever");
        }
        assertEquals(18, trace.size(), "all came to their ends: " + trace);
        assertEquals(List.of(), faults);
        return trace;
    }

    @Test
    void theSeedAloneSaysInWhichOrderThreadsRun() {
        Set<List<String>> different = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            List<String> first = trace(seed);
            assertEquals(first, trace(seed), "seed " + seed);
            different.add(first);
        }
        assertTrue(different.size() > 25, "seeds differ: " + different.size());
    }

    @Test
    void aWaitEndsAtItsDeadlineThoughNobodySignals() {
        Scheduler scheduler = new Scheduler(new Random(1));
        SimProcess process = process(scheduler);
        ReentrantLock lock = new ReentrantLock();
        Condition never = lock.newCondition();
        List<Boolean> hasTime = new ArrayList<>();
        process.start("waits", () -> {
            lock.lock();
            try {
                hasTime.add(process.await(never, Deadline.in(process, Duration.ofHours(9))));
            } finally {
                lock.unlock();
            }
        });
        while (scheduler.step()) {
            assertTrue(scheduler.steps() < 100);
        }
        assertEquals(List.of(false), hasTime);
        assertTrue(scheduler.nanos() >= Duration.ofHours(9).toNanos());
        assertEquals(List.of(), faults);
    }

    @Test
    void aKilledProcessRunsNoFinally() {
        Scheduler scheduler = new Scheduler(new Random(1));
        SimProcess process = process(scheduler);
        List<String> ran = new ArrayList<>();
        process.start("sleeps", () -> {
            try {
                ran.add("begins");
                process.sleep(Duration.ofSeconds(1));
            } finally {
                ran.add("ends");
            }
        });
        scheduler.in(Duration.ofMillis(500), process::kill);
        while (scheduler.step()) {
            assertTrue(scheduler.steps() < 100);
        }
        assertEquals(List.of("begins"), ran);
        assertFalse(process.isAlive());
    }
}
