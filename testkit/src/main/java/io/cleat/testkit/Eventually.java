package io.cleat.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waiting, in a test, for what another process does in its own time. */
public final class Eventually {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** Of what was waited, the part that is waited until the next look, within bounds. */
    private static final int SHARE = 10;

    private static final long LEAST = Duration.ofMillis(5).toNanos();
    private static final long MOST = Duration.ofMillis(200).toNanos();

    private Eventually() {}

    /** What is waited for. */
    @FunctionalInterface
    public interface Fact {
        boolean isTrue() throws Exception;
    }

    /**
     * Blocks until {@code fact} holds, looking every few milliseconds, and less often the longer it takes, since what
     * is waited for wants the processor; fails after 90 s, which is long on purpose: a machine may be busy with a lot
     * more than the test.
     */
    public static void holds(Fact fact, String what) throws Exception {
        holds(LIMIT, fact, what);
    }

    /** As {@link #holds(Fact, String)}, for what may take longer. */
    public static void holds(Duration limit, Fact fact, String what) throws Exception {
        long start = System.nanoTime();
        while (!fact.isTrue()) {
            long waited = System.nanoTime() - start;
            if (waited > limit.toNanos()) {
                throw new AssertionError("not within " + limit.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(Math.clamp(waited / SHARE, LEAST, MOST));
        }
    }
}
