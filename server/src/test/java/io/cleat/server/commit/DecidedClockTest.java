package io.cleat.server.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.testkit.FakeTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class DecidedClockTest {
    private final FakeTime time = new FakeTime();
    private final DecidedClock clock = new DecidedClock(time);

    @Test
    void clockThatGoesBackDoesNotTakeDecisionsBack() {
        Instant first = clock.read(Instant.EPOCH);
        time.jump(Duration.ofHours(-1));
        time.advance(Duration.ofSeconds(1));
        Instant second = clock.read(first);
        assertEquals(first.plusMillis(500), second, "it goes on, at half its pace");
        time.advance(Duration.ofHours(3));
        assertEquals(time.now(), clock.read(second), "until wall time has caught up");
        assertFalse(clock.heldBack().isPresent());
    }

    @Test
    void clockThatWentBackGoesOnThoughNothingIsDecidedByIt() {
        Instant first = clock.read(Instant.EPOCH);
        time.jump(Duration.ofHours(-1));
        for (int i = 0; i < 10; i++) {
            time.advance(Duration.ofSeconds(1));
            clock.read(first);
        }
        assertEquals(first.plusSeconds(5), clock.peek(first));
    }

    @Test
    void whoComparesWithTimesOfDecisionsSeesWhatADecisionWouldCarry() {
        Instant first = clock.read(Instant.EPOCH);
        time.jump(Duration.ofHours(1));
        time.advance(Duration.ofSeconds(5));
        assertEquals(first.plusSeconds(5), clock.peek(first), "no jump, though none was read");
        assertEquals(clock.peek(first), clock.read(first));
        time.advance(Duration.ofMinutes(11));
        assertEquals(time.now(), clock.peek(first), "the clock has stood by its jump");
        assertEquals(clock.peek(first), clock.read(first));
    }

    @Test
    void smallJumpIsFollowed() {
        clock.read(Instant.EPOCH);
        time.jump(Duration.ofMinutes(9));
        assertEquals(time.now(), clock.read(Instant.EPOCH));
    }

    @Test
    void largeJumpIsHeldBackAndReported() {
        Instant first = clock.read(Instant.EPOCH);
        time.jump(Duration.ofDays(1));
        time.advance(Duration.ofSeconds(5));
        assertEquals(first.plusSeconds(5), clock.read(first));
        assertEquals(Duration.ofDays(1), clock.heldBack().orElseThrow());
        time.jump(Duration.ofDays(-1));
        assertEquals(first.plusSeconds(5), clock.read(first));
        assertFalse(clock.heldBack().isPresent());
    }

    @Test
    void clockThatStandsByItsJumpIsBelieved() {
        Instant first = clock.read(Instant.EPOCH);
        time.jump(Duration.ofDays(1));
        clock.read(first);
        time.advance(Duration.ofMinutes(9));
        assertEquals(first.plus(Duration.ofMinutes(9)), clock.read(first));
        time.advance(Duration.ofMinutes(2));
        assertEquals(first.plus(Duration.ofMinutes(11)).plus(Duration.ofDays(1)), clock.read(first));
        assertTrue(clock.heldBack().isEmpty());
    }

    @Test
    void longIdlenessIsNoJump() {
        Instant first = clock.read(Instant.EPOCH);
        time.advance(Duration.ofDays(30));
        assertEquals(first.plus(Duration.ofDays(30)), clock.read(first));
        assertTrue(clock.heldBack().isEmpty());
    }
}
