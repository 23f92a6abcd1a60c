package io.cleat.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a fault in a thread ends. */
final class ThreadsTest {
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final Threads threads = Threads.virtual(new FaultHandler() {
        @Override
        public void fault(String where, Throwable fault) {
            heard.add("ends: " + where + " " + fault.getMessage());
        }

        @Override
        public void contained(String where, Throwable fault) {
            heard.add("goes on: " + where + " " + fault.getMessage());
        }
    });

    private String next() throws InterruptedException {
        return String.valueOf(heard.poll(10, TimeUnit.SECONDS));
    }

    @Test
    void anyThrowableInAVitalThreadEndsTheProcess() throws Exception {
        for (Throwable each : List.of(
                new IllegalStateException("state"),
                new StackOverflowError("stack"),
                new OutOfMemoryError("memory"),
                new LinkageError("link"))) {
            threads.vital("decider", () -> sneak(each));
            assertEquals("ends: decider " + each.getMessage(), next());
        }
    }

    @Test
    void aVitalThreadThatEndsUnaskedEndsTheProcess() throws Exception {
        threads.vital("decider", () -> {});
        assertTrue(next().startsWith("ends: decider broken invariant"), "its end is seen");
    }

    @Test
    void aVitalThreadMayEndWhenItsOwnerSaysSo() throws Exception {
        threads.vital("decider", () -> {}, () -> true).join();
        threads.vitalWork("close", () -> {}).join();
        Thread asked = threads.vital("loop", () -> new LinkedBlockingQueue<>().take());
        asked.interrupt();
        asked.join();
        assertEquals(List.of(), List.copyOf(heard));
    }

    @Test
    void aContainedFaultEndsWhatTheThreadWorkedFor() throws Exception {
        for (Throwable each : List.of(new IllegalStateException("state"), new StackOverflowError("stack"))) {
            threads.contained("link", () -> sneak(each), fault -> heard.add("closed"));
            assertEquals("goes on: link " + each.getMessage(), next());
            assertEquals("closed", next());
        }
    }

    @Test
    void memoryThatIsNotToBeHadEndsTheProcessWhereverItIsMet() throws Exception {
        threads.contained("link", () -> sneak(new OutOfMemoryError("memory")), fault -> heard.add("closed"));
        assertEquals("ends: link memory", next());
        assertEquals(List.of(), List.copyOf(heard));
    }

    @Test
    void whatCannotBeEndedAfterAFaultEndsTheProcess() throws Exception {
        threads.contained(
                "link",
                () -> sneak(new IllegalStateException("first")),
                fault -> sneak(new IllegalStateException("second")));
        assertEquals("goes on: link first", next());
        assertEquals("ends: link second", next());
    }

    @Test
    void aFaultThatWasCaughtIsContainedUnlessTheProcessIsInDoubt() {
        threads.faults().contain("row", new IllegalStateException("state"));
        assertEquals("goes on: row state", heard.poll());
        boolean isThrownOn = false;
        try {
            threads.faults().contain("row", new InternalError("machine"));
        } catch (InternalError thrown) {
            isThrownOn = true;
        }
        assertTrue(isThrownOn);
    }

    private static void sneak(Throwable fault) {
        switch (fault) {
            case RuntimeException unchecked -> throw unchecked;
            case Error error -> throw error;
            default -> throw new AssertionError(fault);
        }
    }
}
