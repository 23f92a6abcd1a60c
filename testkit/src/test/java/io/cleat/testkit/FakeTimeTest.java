package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class FakeTimeTest {
    private final FakeTime time = new FakeTime();

    @Test
    void sleepsAndWaitsTakeTheirTimeAtOnce() {
        Instant begin = time.now();
        Deadline deadline = Deadline.in(time, Duration.ofSeconds(10));
        time.sleep(Duration.ofSeconds(4));
        assertFalse(deadline.isExpired());
        assertFalse(time.await(new ReentrantLock().newCondition(), deadline));
        assertTrue(deadline.isExpired());
        assertEquals(Duration.ofSeconds(10), time.passed());
        assertEquals(begin.plusSeconds(10), time.now());
    }

    @Test
    void aClockThatIsSetLetsNoTimePass() {
        Instant begin = time.now();
        time.jump(Duration.ofHours(-1));
        assertEquals(begin.minusSeconds(3600), time.now());
        assertEquals(Duration.ZERO, time.passed());
    }
}
