package io.cleat.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

final class HeartbeatsTest {
    private final Stepped time = new Stepped();
    private final Heartbeats heartbeats = new Heartbeats(time, Duration.ofSeconds(20));

    /** Time that the test moves; nothing waits on it. */
    private static final class Stepped implements Time {
        private long nanos;

        void advance(Duration by) {
            nanos += by.toNanos();
        }

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos);
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void sleep(Duration duration) {
            throw new UnsupportedOperationException("this test has one thread");
        }

        @Override
        public boolean await(Condition condition, Deadline deadline) {
            throw new UnsupportedOperationException("this test has one thread");
        }
    }

    @Test
    void aNodeIsOverdueOnceItWasSilentForTooLong() {
        heartbeats.begin(List.of("a", "b"));
        time.advance(Duration.ofSeconds(15));
        heartbeats.heard("b");
        assertEquals(List.of(), heartbeats.overdue());
        assertEquals(Duration.ofSeconds(5), heartbeats.untilNext());
        time.advance(Duration.ofSeconds(5));
        assertEquals(List.of("a"), heartbeats.overdue());
        assertEquals(Duration.ZERO, heartbeats.untilNext());
    }

    @Test
    void aNewReignGivesEachNodeItsWholeTime() {
        heartbeats.begin(List.of("a"));
        time.advance(Duration.ofSeconds(19));
        heartbeats.begin(List.of("a"));
        time.advance(Duration.ofSeconds(19));
        assertEquals(List.of(), heartbeats.overdue());
    }

    @Test
    void aNodeThatWasGivenUpCountsOnceItIsHeardAgain() {
        heartbeats.heard("a");
        heartbeats.forget("a");
        time.advance(Duration.ofMinutes(1));
        assertEquals(List.of(), heartbeats.overdue());
        heartbeats.heard("a");
        time.advance(Duration.ofSeconds(20));
        assertEquals(List.of("a"), heartbeats.overdue());
    }
}
