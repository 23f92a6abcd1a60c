package io.cleat.agent.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.agent.TestTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A clock that is set forth or back by an hour changes no age that was seen to begin. */
final class MonotonicMarksTest {
    private final TestTime time = new TestTime();
    private final MonotonicMarks marks = new MonotonicMarks(time);

    private Duration age(Instant mark) {
        return Duration.between(marks.of(mark), marks.now());
    }

    @Test
    void aMarkAges_howeverTheClockJumps() {
        Instant mark = time.now();
        assertEquals(Duration.ZERO, age(mark));
        time.advance(Duration.ofSeconds(3));
        time.jump(Duration.ofHours(1));
        assertEquals(Duration.ofSeconds(3), age(mark));
        time.jump(Duration.ofHours(-5));
        time.advance(Duration.ofSeconds(4));
        assertEquals(Duration.ofSeconds(7), age(mark));
    }

    @Test
    void aMarkOfAnEarlierProcess_isAsOldAsTheClockSays_andNeverOfTheFuture() {
        assertEquals(Duration.ofSeconds(9), age(time.now().minusSeconds(9)));
        assertEquals(Duration.ZERO, age(time.now().plusSeconds(9)));
    }

    @Test
    void whatIsDueLater_isSo_howeverTheClockJumps() {
        Instant due = time.now().plusSeconds(30);
        assertEquals(Duration.ofSeconds(30), marks.until(due));
        time.jump(Duration.ofHours(1));
        time.advance(Duration.ofSeconds(31));
        assertEquals(Duration.ofSeconds(-1), marks.until(due));
    }

    @Test
    void aMarkThatWasForgotten_isSeenAnew() {
        Instant mark = time.now();
        age(mark);
        time.jump(Duration.ofHours(1));
        marks.keep(List.of(mark));
        assertEquals(Duration.ZERO, age(mark));
        marks.keep(List.of());
        assertEquals(Duration.ofHours(1), age(mark));
    }
}
