package io.cleat.base;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;

/**
 * The port for time. Nothing above the ports reads a clock or sleeps by itself, so that a simulation can advance time
 * as it likes.
 */
public interface Time {
    /** Wall time; may jump. For people and for records, never for safety. */
    Instant now();

    /** Elapsed nanoseconds from an arbitrary start, never backwards, counting suspended time too. */
    long nanos();

    /** Blocks for {@code duration}. */
    void sleep(Duration duration) throws InterruptedException;

    /**
     * Waits on {@code condition}, whose lock the caller holds, until signalled or until {@code deadline} expires.
     *
     * @return false once the deadline has expired
     */
    boolean await(Condition condition, Deadline deadline) throws InterruptedException;
}
