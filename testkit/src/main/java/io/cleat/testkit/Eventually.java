package io.cleat.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waiting, in a test, for what another process does in its own time. */
public final class Eventually {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private Eventually() {}

    /** What is waited for. */
    @FunctionalInterface
    public interface Fact {
        boolean isTrue() throws Exception;
    }

    /**
     * Blocks until {@code fact} holds, looking every few milliseconds; fails after 90 s, which is
     * long on purpose: a machine may be busy with a lot more than the test.
     */
    public static void holds(Fact fact, String what) throws Exception {
        holds(LIMIT, fact, what);
    }

    /** As {@link #holds(Fact, String)}, for what may take longer. */
    public static void holds(Duration limit, Fact fact, String what) throws Exception {
        long end = System.nanoTime() + limit.toNanos();
        while (!fact.isTrue()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + limit.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }
}
