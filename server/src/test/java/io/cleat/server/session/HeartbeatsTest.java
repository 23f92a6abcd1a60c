package io.cleat.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.testkit.FakeTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HeartbeatsTest {
    private final FakeTime time = new FakeTime();
    private final Heartbeats heartbeats = new Heartbeats(time, Duration.ofSeconds(20));

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
